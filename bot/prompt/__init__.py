"""From a turn and what was recalled to the request that the model gets."""
