"""One thread a test process: the workers already share the cores, and tiny products wait for each other."""

import torch

torch.set_num_threads(1)
