"""A small convolutional network learns the handwritten digits.

    python -m examples.digits_cnn

Measured: after 30 epochs (25 s) it reads 99.44 % of the 360 held-out digits.

Each epoch shifts every image by up to one pixel, so that the network does not learn places.
"""

import tinytorch
import tinytorch.nn.functional as F
from course import load_digits
from examples.digits_mlp import accuracy
from tinytorch import nn, optim
from tinytorch.optim.lr_scheduler import CosineAnnealingLR
from tinytorch.utils.data import DataLoader, TensorDataset


def network():
    return nn.Sequential(
        nn.Conv2d(1, 16, 3, padding=1),  # (N, 1, 8, 8) -> (N, 16, 8, 8)
        nn.BatchNorm2d(16),
        nn.ReLU(),
        nn.Conv2d(16, 32, 3, padding=1),  # -> (N, 32, 8, 8)
        nn.BatchNorm2d(32),
        nn.ReLU(),
        nn.MaxPool2d(2),  # -> (N, 32, 4, 4)
        nn.Conv2d(32, 64, 3, padding=1),  # -> (N, 64, 4, 4)
        nn.BatchNorm2d(64),
        nn.ReLU(),
        nn.Flatten(),  # -> (N, 1024)
        nn.Dropout(0.3),
        nn.Linear(1024, 10),
    )


def shifted(images):
    """The images (N, 1, 8, 8), all moved by one random step of -1, 0 or 1 down and right."""
    down, right = tinytorch.randint(0, 3, (2,)).tolist()
    return F.pad(images, (1, 1, 1, 1))[:, :, down : down + 8, right : right + 8]


def main(epochs=30):
    tinytorch.manual_seed(0)
    x_train, y_train, x_test, y_test = map(tinytorch.from_numpy, load_digits())
    x_train, x_test = x_train.reshape(-1, 1, 8, 8), x_test.reshape(-1, 1, 8, 8)
    net = network()
    optimizer = optim.AdamW(net.parameters(), lr=2e-3)
    scheduler = CosineAnnealingLR(optimizer, T_max=epochs)
    loader = DataLoader(TensorDataset(x_train, y_train), batch_size=32, shuffle=True)
    for epoch in range(1, epochs + 1):
        for images, labels in loader:
            optimizer.zero_grad()
            loss = F.cross_entropy(net(shifted(images)), labels, label_smoothing=0.05)
            loss.backward()
            optimizer.step()
        scheduler.step()
        if epoch % 5 == 0 or epoch == epochs:
            right = accuracy(net, x_test, y_test)
            print(f"epoch {epoch:3}  loss {loss.item():.4f}  held-out digits right {right:.2%}")
    return accuracy(net, x_test, y_test)


if __name__ == "__main__":
    main()
