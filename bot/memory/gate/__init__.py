"""The gate before memory: pure rules on a text that is about to be remembered, one idea a file, and the door where they meet."""
