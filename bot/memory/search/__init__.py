"""What of a conversation's past answers a question. Pure rules over arrays: no database, no model."""
