"""What comes back of a conversation's past before an answer. Fast: no model is asked, but by the readers that say so."""
