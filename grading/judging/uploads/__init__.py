"""Files of items that people upload to have judged: questions and chats that are no submission."""
