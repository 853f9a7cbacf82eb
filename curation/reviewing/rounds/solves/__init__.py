"""What reviewers try and type before they review: blind solves, and drafts of both."""
