"""A conversation's past: chunks with their summaries, the rolling summary, structured memories, and what search reads."""
