"""Values changed by chance or to a coarser scale, and masks of what names somebody."""
