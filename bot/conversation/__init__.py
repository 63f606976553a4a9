"""One conversation: from a message that comes in to the answer that goes out."""
