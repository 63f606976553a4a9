"""What a persona remembers, and a conversation's past: recalling, changing, dreaming, erasing, carrying in and out."""
