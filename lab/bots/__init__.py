"""Trains the policy that the bots remember, by self-play."""
