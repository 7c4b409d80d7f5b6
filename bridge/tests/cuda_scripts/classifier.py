# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Trains a small residual network on synthetic images with one process per GPU."""
import argparse
import os
import tempfile
import time

import torch
import torch.backends.cudnn as cudnn
import torch.distributed as dist
import torch.nn as nn
import torch.nn.functional as F
from torch.cuda.amp import GradScaler, autocast
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, Dataset
from torch.utils.data.distributed import DistributedSampler

parser = argparse.ArgumentParser()
parser.add_argument("--epochs", default=2, type=int)
parser.add_argument("--batch-size", default=16, type=int)
parser.add_argument("--lr", default=0.05, type=float)
parser.add_argument("--local_rank", default=int(os.environ.get("LOCAL_RANK", 0)), type=int)
parser.add_argument("--amp", action="store_true")


class AverageMeter:
    def __init__(self):
        self.sum, self.count = 0.0, 0

    def update(self, value, n=1):
        self.sum, self.count = self.sum + value * n, self.count + n

    @property
    def avg(self):
        return self.sum / max(1, self.count)


class Images(Dataset):
    """Squares at a place that depends on the class."""

    def __init__(self, size=96, classes=4):
        generator = torch.Generator().manual_seed(0)
        self.labels = torch.randint(0, classes, (size,), generator=generator)
        self.images = 0.3 * torch.randn(size, 3, 16, 16, generator=generator)
        for image, label in zip(self.images, self.labels.tolist()):
            image[:, 4 * label:4 * label + 4, 2:14] += 1

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        return self.images[index], self.labels[index]


class Block(nn.Module):
    def __init__(self, inputs, outputs, stride=1):
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(outputs)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(outputs)
        self.shortcut = nn.Sequential()
        if stride != 1 or inputs != outputs:
            self.shortcut = nn.Sequential(nn.Conv2d(inputs, outputs, 1, stride, bias=False),
                                          nn.BatchNorm2d(outputs))

    def forward(self, x):
        out = F.relu(self.bn1(self.conv1(x)))
        return F.relu(self.bn2(self.conv2(out)) + self.shortcut(x))


class ResNet(nn.Module):
    def __init__(self, classes=4):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 8, 3, 1, 1, bias=False), nn.BatchNorm2d(8),
                                  nn.ReLU(inplace=True))
        self.layers = nn.Sequential(Block(8, 8), Block(8, 16, 2))
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.fc = nn.Linear(16, classes)

    def forward(self, x):
        return self.fc(torch.flatten(self.pool(self.layers(self.stem(x))), 1))


def accuracy(output, target):
    return (output.argmax(1) == target).float().mean().item()


def main():
    args = parser.parse_args()
    os.environ.setdefault("RANK", "0")
    os.environ.setdefault("WORLD_SIZE", "1")
    rendezvous = tempfile.NamedTemporaryFile(delete=False)
    dist.init_process_group(backend="nccl", init_method=f"file://{rendezvous.name}", rank=0,
                            world_size=1)
    torch.cuda.set_device(args.local_rank)
    cudnn.benchmark = True
    torch.manual_seed(0)
    torch.cuda.manual_seed_all(0)

    model = ResNet()
    model = nn.SyncBatchNorm.convert_sync_batchnorm(model).cuda(args.local_rank)
    model = DDP(model, device_ids=[args.local_rank], output_device=args.local_rank)
    criterion = nn.CrossEntropyLoss().cuda(args.local_rank)
    optimizer = torch.optim.SGD(model.parameters(), args.lr, momentum=0.9, weight_decay=1e-4)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.5)
    scaler = GradScaler(enabled=args.amp)

    dataset = Images()
    sampler = DistributedSampler(dataset, shuffle=True)
    loader = DataLoader(dataset, batch_size=args.batch_size, sampler=sampler, num_workers=0,
                        pin_memory=True, drop_last=True)
    for epoch in range(args.epochs):
        sampler.set_epoch(epoch)
        losses, top1 = AverageMeter(), AverageMeter()
        model.train()
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        for images, target in loader:
            images = images.cuda(args.local_rank, non_blocking=True)
            target = target.cuda(args.local_rank, non_blocking=True)
            with autocast(enabled=args.amp):
                output = model(images)
                loss = criterion(output, target)
            optimizer.zero_grad(set_to_none=True)
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
            reduced = loss.detach().clone()
            dist.all_reduce(reduced)
            reduced /= dist.get_world_size()
            losses.update(reduced.item(), images.size(0))
            top1.update(accuracy(output, target), images.size(0))
            print(f"loss {reduced.item():.6f}")
        end.record()
        torch.cuda.synchronize()
        scheduler.step()
        print(f"epoch {epoch} accuracy {top1.avg:.3f} ms {start.elapsed_time(end):.1f} "
              f"MiB {torch.cuda.max_memory_allocated() / 2**20:.1f}")
        torch.cuda.reset_peak_memory_stats()

    path = os.path.join(tempfile.mkdtemp(), "checkpoint.pth")
    if dist.get_rank() == 0:
        torch.save({"state_dict": model.state_dict(), "optimizer": optimizer.state_dict(),
                    "scaler": scaler.state_dict()}, path)
    dist.barrier()
    checkpoint = torch.load(path, map_location=f"cuda:{args.local_rank}")
    model.load_state_dict(checkpoint["state_dict"])
    optimizer.load_state_dict(checkpoint["optimizer"])
    model.eval()
    with torch.no_grad():
        images, target = next(iter(loader))
        output = model(images.cuda(non_blocking=True))
        print(f"loss {criterion(output, target.cuda(non_blocking=True)).item():.6f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    begin = time.time()
    main()
