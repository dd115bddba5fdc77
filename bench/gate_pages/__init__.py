"""Pages on which the answer stands in pixels only, in the text, or in the text beside what distracts; made from a seed."""
