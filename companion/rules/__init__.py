"""The rules of Dudo: values, legality, judging, odds and words. Pure, without input or output."""
