"""The page of a review: a round solved blind and reviewed, drafts kept, remarks answered."""
