"""Counting pips with OpenCV, the second opinion on each face that the net detects.

`face` (the face at one size, and its spots), `layouts` (how pips lie), `count` (what they add up to).
"""
