"""All that is held on a person, a conversation or a server, as one file."""
