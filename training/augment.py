"""Rooms, microphones, telephones and noise for whole batches on the GPU, so that clean synthetic speech prepares for real speech."""
import torch
import torch.nn.functional as F

RATE, ROOM = 16000, 6400


def uniform(count, low, high, device):
    return torch.rand(count, 1, device=device) * (high - low) + low


def chance(count, share, device):
    return torch.rand(count, 1, device=device) < share


def room(count, device):
    """Impulse responses: a direct sound and a decaying tail, or the direct sound alone."""
    time = torch.arange(ROOM, device=device)[None] / RATE
    tail = torch.randn(count, ROOM, device=device) * torch.exp(-time / uniform(count, .01, .12, device))
    tail = tail / tail.norm(dim=1, keepdim=True) * uniform(count, .2, 1.2, device)
    tail = tail * chance(count, .45, device)
    tail[:, 0] = 1
    return tail / tail.norm(dim=1, keepdim=True)


def response(count, bins, device):
    """Microphone and line: a smooth random equaliser, sometimes a telephone band, sometimes a dull top."""
    hertz = torch.linspace(0, RATE / 2, bins, device=device)[None]
    points = torch.randn(count, 1, 9, device=device) * 4
    decibel = F.interpolate(points, size=bins, mode='linear', align_corners=True)[:, 0] + uniform(count, -8, 5, device) * hertz / 8000
    gain = 10 ** (decibel / 20)
    telephone = chance(count, .3, device)
    low, high = uniform(count, 80, 350, device), uniform(count, 3000, 4000, device)
    gain = torch.where(telephone, gain * torch.sigmoid((hertz - low) / 30) * torch.sigmoid((high - hertz) / 60), gain)
    dull = chance(count, .15, device)
    return torch.where(dull, gain * torch.sigmoid((uniform(count, 3500, 7000, device) - hertz) / 150), gain)


def noise(count, samples, device):
    """Hiss to rumble, sometimes swelling and fading."""
    spectrum = torch.fft.rfft(torch.randn(count, samples, device=device))
    hertz = torch.linspace(0, RATE / 2, spectrum.shape[1], device=device)[None]
    wave = torch.fft.irfft(spectrum * (1 + hertz / 60) ** -uniform(count, 0, 1.1, device), samples)
    swell = F.interpolate(torch.rand(count, 1, 12, device=device), size=samples, mode='linear')[:, 0] ** 2
    return wave * torch.where(chance(count, .4, device), swell, torch.ones_like(swell))


def mixed_with(wave, other, decibel, share):
    count = len(wave)
    level = wave.norm(dim=1, keepdim=True) / (other.norm(dim=1, keepdim=True) + 1e-6)
    return wave + other * level * 10 ** (-decibel / 20) * chance(count, share, wave.device)


def coarse(wave):
    """8-bit mu-law, as on a telephone line."""
    squeezed = wave.sign() * torch.log1p(255 * wave.abs()) / 5.545177
    squeezed = (squeezed * 127).round() / 127
    return squeezed.sign() * torch.expm1(squeezed.abs() * 5.545177) / 255


def augment(wave):
    """[clips, samples] in, the same shape out."""
    count, samples = wave.shape
    device, size = wave.device, samples + ROOM
    spectrum = torch.fft.rfft(wave, size) * torch.fft.rfft(room(count, device), size)
    wave = torch.fft.irfft(spectrum * response(count, spectrum.shape[1], device), size)[:, :samples]
    wave = mixed_with(wave, wave.roll(1, 0).roll(RATE // 3, 1), uniform(count, 12, 30, device), .15)
    wave = mixed_with(wave, noise(count, samples, device), uniform(count, 3, 35, device), .8)
    wave = wave / (wave.abs().amax(1, keepdim=True) + 1e-6)
    ceiling = torch.where(chance(count, .1, device), uniform(count, .25, .8, device), torch.ones(count, 1, device=device))
    wave = wave.clamp(-ceiling, ceiling)
    wave = torch.where(chance(count, .15, device), coarse(wave), wave)
    return wave * uniform(count, .05, 1, device)


def masked(mel, frames):
    """SpecAugment: bands and moments hidden, a moment per two seconds."""
    count, bands, length = mel.shape
    device, floor = mel.device, mel.amin((1, 2), keepdim=True)
    hide = torch.zeros(mel.shape, dtype=torch.bool, device=device)
    band, frame = torch.arange(bands, device=device)[None, :, None], torch.arange(length, device=device)[None, None]
    for _ in range(2):
        start = torch.rand(count, 1, 1, device=device) * bands
        hide |= (band >= start) & (band < start + torch.rand(count, 1, 1, device=device) * 14)
    for _ in range(max(1, int(frames / 200))):
        start = torch.rand(count, 1, 1, device=device) * frames
        hide |= (frame >= start) & (frame < start + torch.rand(count, 1, 1, device=device) * 28)
    hide &= torch.rand(count, 1, 1, device=device) < .85
    return torch.where(hide, floor, mel)
