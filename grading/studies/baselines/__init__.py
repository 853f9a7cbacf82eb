"""What came of a study: figures of people, with and without each rule that leaves some out."""
