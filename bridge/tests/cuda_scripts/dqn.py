# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Learns to walk to the end of a corridor by deep Q-learning."""
import random
from collections import deque, namedtuple

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim

use_cuda = torch.cuda.is_available()
device = torch.device("cuda:0" if use_cuda else "cpu")
FloatTensor = torch.cuda.FloatTensor if use_cuda else torch.FloatTensor
Transition = namedtuple("Transition", ("state", "action", "next_state", "reward"))
SIZE, BATCH_SIZE, GAMMA, TAU, EPISODES = 6, 16, 0.9, 0.05, 4

random.seed(0)
np.random.seed(0)
torch.manual_seed(0)
if device.type == "cuda":
    torch.cuda.manual_seed_all(0)
    torch.backends.cudnn.deterministic = True


class Corridor:
    def reset(self):
        self.place, self.steps = 0, 0
        return self.observe()

    def observe(self):
        state = np.zeros(SIZE, dtype=np.float32)
        state[self.place] = 1
        return state

    def step(self, action):
        self.place = max(0, self.place + (1 if action else -1))
        self.steps += 1
        is_end = self.place == SIZE - 1
        return self.observe(), float(is_end), is_end or self.steps == 25


class ReplayMemory(object):
    def __init__(self, capacity):
        self.memory = deque([], maxlen=capacity)

    def push(self, *args):
        self.memory.append(Transition(*args))

    def sample(self, batch_size):
        return random.sample(self.memory, batch_size)

    def __len__(self):
        return len(self.memory)


class DQN(nn.Module):
    def __init__(self, n_observations, n_actions):
        super(DQN, self).__init__()
        self.layer1 = nn.Linear(n_observations, 32)
        self.layer2 = nn.Linear(32, 32)
        self.layer3 = nn.Linear(32, n_actions)

    def forward(self, x):
        return self.layer3(F.relu(self.layer2(F.relu(self.layer1(x)))))


policy_net = DQN(SIZE, 2).to(device)
target_net = DQN(SIZE, 2).to(device)
target_net.load_state_dict(policy_net.state_dict())
optimizer = optim.AdamW(policy_net.parameters(), lr=1e-3, amsgrad=True)
memory = ReplayMemory(200)


def select_action(state, eps):
    if random.random() > eps:
        with torch.no_grad():
            return policy_net(state).max(1).indices.view(1, 1)
    return torch.tensor([[random.randrange(2)]], device=device, dtype=torch.long)


def optimize_model():
    if len(memory) < BATCH_SIZE:
        return
    batch = Transition(*zip(*memory.sample(BATCH_SIZE)))
    non_final_mask = torch.tensor(tuple(map(lambda s: s is not None, batch.next_state)),
                                  device=device, dtype=torch.bool)
    non_final = torch.cat([s for s in batch.next_state if s is not None])
    state_batch, action_batch = torch.cat(batch.state), torch.cat(batch.action)
    reward_batch = torch.cat(batch.reward)
    state_action_values = policy_net(state_batch).gather(1, action_batch)
    next_state_values = torch.zeros(BATCH_SIZE, device=device)
    with torch.no_grad():
        next_state_values[non_final_mask] = target_net(non_final).max(1).values
    expected = (next_state_values * GAMMA) + reward_batch
    loss = nn.SmoothL1Loss()(state_action_values, expected.unsqueeze(1))
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_value_(policy_net.parameters(), 100)
    optimizer.step()
    print("loss %.6f" % loss.item())


env = Corridor()
for episode in range(EPISODES):
    state = torch.from_numpy(env.reset()).unsqueeze(0).to(device)
    done = False
    while not done:
        action = select_action(state, max(0.1, 0.9 - 0.2 * episode))
        observation, reward, done = env.step(action.item())
        next_state = None if done and reward else \
            torch.tensor(observation, dtype=torch.float32, device=device).unsqueeze(0)
        memory.push(state, action, next_state, FloatTensor([reward]))
        state = next_state
        optimize_model()
        target = target_net.state_dict()
        for key, value in policy_net.state_dict().items():
            target[key] = value * TAU + target[key] * (1 - TAU)
        target_net.load_state_dict(target)
