"""An ordinary program: a type checker is to find no error in it, and it runs."""

import tinytorch
import tinytorch as torch
import tinytorch.nn as nn
import tinytorch.nn.functional as F
from tinytorch import Tensor, optim
from tinytorch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self, hidden: int):
        super().__init__()
        self.first = nn.Linear(2, hidden)
        self.drop = nn.Dropout(0.1)
        self.norm = nn.LayerNorm(hidden)
        self.scale = nn.Parameter(torch.ones(1))
        self.last = nn.Linear(hidden, 2)

    def forward(self, x: Tensor) -> Tensor:
        x = F.relu(self.norm(self.first(x)))
        return self.last(self.drop(x)) * self.scale


x = tinytorch.tensor([1.0, 2.0], requires_grad=True)
y = 2 * x + x * 2 - x / 3 + 1 / x + x**2 + 2**x - (-x).relu().tanh()
loss = (y * y).sum()
loss.backward()
print(x.grad.sum().item() + 1.0, f"{loss.item():.3f}", float(loss), x.shape[0], x.size(0) + 1)
x.grad = None
values, indices = x.detach().max(dim=0)
print(x.max().item(), values, indices.tolist(), x.sort().values, x.topk(1).indices)
if (x > 0).all() and x.sum() > 0:
    print(len(x), x[0], x[:, None].shape, [row.item() for row in x], x.to(torch.float64).dtype)
w = torch.zeros(3, 4)
w[0] = 1
w[1, 2] += 3.0
w += 1
print((w @ w.T).reshape(-1, 3).mean(dim=1), w.numpy().mean(), torch.stack([w, w]).device.type)
a, b = w.split(2, dim=1)
print(torch.cat([a, b], dim=1).softmax(1), torch.exp(w), torch.manual_seed(0), torch.float32)
net = Net(8)
model = nn.Sequential(net, nn.ReLU(), nn.Linear(2, 2))
for optimizer in (
    torch.optim.Adam(model.parameters(), lr=0.01),
    optim.SGD(net.parameters(), lr=0.1, momentum=0.9),
):
    scheduler = optim.lr_scheduler.StepLR(optimizer, step_size=2)
    data = TensorDataset(torch.randn(10, 2), torch.randint(0, 2, (10,)))
    total, out, yb = 0.0, x, x
    for xb, yb in DataLoader(data, batch_size=5, shuffle=True):
        optimizer.zero_grad()
        out = model(xb)
        loss = F.cross_entropy(out, yb)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        total += loss.item() * len(xb)
    scheduler.step()
    with torch.no_grad():
        correct = (out.argmax(dim=1) == yb).float().mean()
        print(correct.item())
criterion = nn.CrossEntropyLoss()
print(criterion(model(w[:, :2]), torch.tensor([0, 1, 1])).item())
with torch.autograd.set_grad_enabled(False):
    pass


@torch.no_grad()
def evaluate(model: nn.Module) -> float:
    model.eval()
    return model(w[:, :2]).sum().item()


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return 2 * x * grad


print(Square.apply(x).sum(), evaluate(net), net.first.weight.grad, net.state_dict()["scale"].shape)
torch.save(net.state_dict(), "net.safetensors")
net.load_state_dict(torch.load("net.safetensors"))
for name, parameter in net.named_parameters():
    print(name, parameter.shape, parameter.data.norm(), parameter.requires_grad)
(gradient,) = torch.autograd.grad((x * x).sum(), x)
print(gradient.sum(), torch.arange(6).view(2, 3).permute(1, 0).float().std())
