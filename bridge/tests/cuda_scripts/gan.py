# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Trains a generator and a discriminator on synthetic images, in the manner of old scripts."""
import argparse
import random

import numpy as np
import torch
import torch.nn as nn
from torch.autograd import Variable

parser = argparse.ArgumentParser()
parser.add_argument("--n_epochs", type=int, default=2)
parser.add_argument("--batch_size", type=int, default=16)
parser.add_argument("--lr", type=float, default=0.002)
parser.add_argument("--latent_dim", type=int, default=8)
opt = parser.parse_args()

manual_seed = 7
random.seed(manual_seed)
np.random.seed(manual_seed)
torch.manual_seed(manual_seed)
cuda = True if torch.cuda.is_available() else False
if cuda:
    torch.cuda.manual_seed(manual_seed)


def weights_init(m):
    classname = m.__class__.__name__
    if classname.find("Conv") != -1:
        m.weight.data.normal_(0.0, 0.05)
    elif classname.find("BatchNorm") != -1:
        m.weight.data.normal_(1.0, 0.02)
        m.bias.data.fill_(0)


class Generator(nn.Module):
    def __init__(self):
        super(Generator, self).__init__()
        self.main = nn.Sequential(
            nn.ConvTranspose2d(opt.latent_dim, 16, 4, 1, 0, bias=False), nn.BatchNorm2d(16),
            nn.ReLU(True), nn.ConvTranspose2d(16, 8, 4, 2, 1, bias=False), nn.BatchNorm2d(8),
            nn.ReLU(True), nn.ConvTranspose2d(8, 1, 4, 2, 1, bias=False), nn.Tanh())

    def forward(self, z):
        return self.main(z)


class Discriminator(nn.Module):
    def __init__(self):
        super(Discriminator, self).__init__()
        self.main = nn.Sequential(
            nn.Conv2d(1, 8, 4, 2, 1, bias=False), nn.LeakyReLU(0.2, inplace=True),
            nn.Conv2d(8, 16, 4, 2, 1, bias=False), nn.BatchNorm2d(16),
            nn.LeakyReLU(0.2, inplace=True), nn.Conv2d(16, 1, 4, 1, 0, bias=False), nn.Sigmoid())

    def forward(self, img):
        return self.main(img).view(-1, 1)


adversarial_loss = torch.nn.BCELoss()
generator, discriminator = Generator(), Discriminator()
generator.apply(weights_init)
discriminator.apply(weights_init)
if cuda:
    generator.cuda()
    discriminator.cuda()
    adversarial_loss.cuda()
if torch.cuda.device_count() > 1:
    generator, discriminator = nn.DataParallel(generator), nn.DataParallel(discriminator)

optimizer_G = torch.optim.Adam(generator.parameters(), lr=opt.lr, betas=(0.5, 0.999))
optimizer_D = torch.optim.Adam(discriminator.parameters(), lr=opt.lr, betas=(0.5, 0.999))
Tensor = torch.cuda.FloatTensor if cuda else torch.FloatTensor

ramp = torch.linspace(-1, 1, 16)
images = torch.stack([torch.outer(ramp, ramp) * np.random.uniform(0.5, 1) for _ in range(80)])
dataloader = torch.utils.data.DataLoader(images.unsqueeze(1), batch_size=opt.batch_size,
                                         shuffle=False)
for epoch in range(opt.n_epochs):
    for i, imgs in enumerate(dataloader):
        valid = Variable(Tensor(imgs.size(0), 1).fill_(1.0), requires_grad=False)
        fake = Variable(Tensor(imgs.size(0), 1).fill_(0.0), requires_grad=False)
        real_imgs = Variable(imgs.type(Tensor))

        optimizer_G.zero_grad()
        noise = np.random.normal(0, 1, (imgs.shape[0], opt.latent_dim, 1, 1))
        z = Variable(Tensor(noise))
        gen_imgs = generator(z)
        g_loss = adversarial_loss(discriminator(gen_imgs), valid)
        g_loss.backward()
        optimizer_G.step()

        optimizer_D.zero_grad()
        real_loss = adversarial_loss(discriminator(real_imgs), valid)
        fake_loss = adversarial_loss(discriminator(gen_imgs.detach()), fake)
        d_loss = (real_loss + fake_loss) / 2
        d_loss.backward()
        optimizer_D.step()
        print("loss %f" % d_loss.item())
        print("loss %f" % g_loss.data.cpu().numpy())
    torch.cuda.empty_cache()
