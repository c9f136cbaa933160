"""Colours of drawn samples: textures, a key light with soft shadows, fill light, sky, gloss. Arrays only."""

import numpy as np

from stamina_video.data.world.raster import F32, F64, I32, U8, compiled, inlined

TEXTURE = 256  # texels along a side of the finest level
# Rows of the light array.
TO_KEY, KEY, SKY, GROUND, TO_FILL, FILL = range(6)
# Columns of the material array.
TEXTURE_OF, TINT, REPEAT_U, REPEAT_V, GLOSS, GLOW = 0, 1, 4, 5, 6, 7

FARTHEST = 40.0  # pixels that a point moves while the shutter is open


@compiled
def shade(
    instance: I32,
    triangle: I32,
    xyz: F32,
    facing: F32,
    texture_V2: F32,
    texels_T: F32,
    triangles_T3: I32,
    shift_I: I32,
    materials_I8: F32,
    textures_KX3: U8,
    view: F64,
    light: F64,
    shadow: F32,
    shadow_view: F64,
    image: F32,
    before: F32,
    view_before: F64,
    motion: F32,
) -> None:
    """One colour for each instance that a pixel's 2×2 samples show, mixed by how many show it.

    `motion` receives how far, in pixels, the first sample has come since the shutter opened.
    """
    height, width = image.shape[:2]
    colour, shares = np.empty(3), np.empty(2)
    for y in range(height):
        for x in range(width):
            image[y, x, 0], image[y, x, 1], image[y, x, 2] = 0.0, 0.0, 0.0
            motion[y, x, 0], motion[y, x, 1] = 0.0, 0.0
            done = 0
            for s in range(4):
                if done & (1 << s):
                    continue
                i, t = instance[2 * y + s // 2, 2 * x + s % 2], triangle[2 * y + s // 2, 2 * x + s % 2]
                share = 0
                for other in range(s, 4):
                    if instance[2 * y + other // 2, 2 * x + other % 2] == i:
                        done |= 1 << other
                        share += 1
                if i < 0:
                    colour[0], colour[1], colour[2] = light[SKY, 0], light[SKY, 1], light[SKY, 2]
                else:
                    _colour(
                        2 * x + s % 2 + 0.5,
                        2 * y + s // 2 + 0.5,
                        i,
                        t,
                        xyz,
                        facing,
                        texture_V2,
                        texels_T,
                        triangles_T3,
                        shift_I,
                        materials_I8,
                        textures_KX3,
                        view,
                        light,
                        shadow,
                        shadow_view,
                        colour,
                        shares,
                    )
                    if s == 0:
                        a, b, c = triangles_T3[t, 0], triangles_T3[t, 1], triangles_T3[t, 2]
                        _came_from(
                            before, a + shift_I[i], b + shift_I[i], c + shift_I[i], shares, view_before,
                            x, y, motion,
                        )  # fmt: skip
                for k in range(3):
                    image[y, x, k] += colour[k] * share * 0.25


@inlined
def _colour(
    sx: float,
    sy: float,
    i: int,
    t: int,
    xyz: F32,
    facing: F32,
    texture_V2: F32,
    texels_T: F32,
    triangles_T3: I32,
    shift_I: I32,
    materials_I8: F32,
    textures_KX3: U8,
    view: F64,
    light: F64,
    shadow: F32,
    shadow_view: F64,
    colour: F64,
    shares: F64,
) -> None:
    cx, cy = (sx - view[4, 2]) / view[4, 0], (view[5, 2] - sy) / view[5, 0]
    dx = view[3, 0] + cx * view[1, 0] + cy * view[2, 0]
    dy = view[3, 1] + cx * view[1, 1] + cy * view[2, 1]
    dz = view[3, 2] + cx * view[1, 2] + cy * view[2, 2]
    a, b, c = triangles_T3[t, 0], triangles_T3[t, 1], triangles_T3[t, 2]
    va, vb, vc = a + shift_I[i], b + shift_I[i], c + shift_I[i]
    # Where the ray meets the triangle (Möller–Trumbore), as shares of its corners.
    ax, ay, az = np.float64(xyz[va, 0]), np.float64(xyz[va, 1]), np.float64(xyz[va, 2])
    e1x, e1y, e1z = xyz[vb, 0] - ax, xyz[vb, 1] - ay, xyz[vb, 2] - az
    e2x, e2y, e2z = xyz[vc, 0] - ax, xyz[vc, 1] - ay, xyz[vc, 2] - az
    px, py, pz = dy * e2z - dz * e2y, dz * e2x - dx * e2z, dx * e2y - dy * e2x
    det = e1x * px + e1y * py + e1z * pz
    if det == 0.0:
        det = 1e-12
    tx, ty, tz = view[0, 0] - ax, view[0, 1] - ay, view[0, 2] - az
    u = min(max((tx * px + ty * py + tz * pz) / det, 0.0), 1.0)
    qx, qy, qz = ty * e1z - tz * e1y, tz * e1x - tx * e1z, tx * e1y - ty * e1x
    v = min(max((dx * qx + dy * qy + dz * qz) / det, 0.0), 1.0 - u)
    w = 1.0 - u - v
    shares[0], shares[1] = u, v
    wx, wy, wz = ax + u * e1x + v * e2x, ay + u * e1y + v * e2y, az + u * e1z + v * e2z
    nx = w * facing[va, 0] + u * facing[vb, 0] + v * facing[vc, 0]
    ny = w * facing[va, 1] + u * facing[vb, 1] + v * facing[vc, 1]
    nz = w * facing[va, 2] + u * facing[vb, 2] + v * facing[vc, 2]
    length = np.sqrt(nx * nx + ny * ny + nz * nz) + 1e-12
    ray = np.sqrt(dx * dx + dy * dy + dz * dz)
    dx, dy, dz = dx / ray, dy / ray, dz / ray
    nx, ny, nz = nx / length, ny / length, nz / length
    towards = nx * dx + ny * dy + nz * dz
    if towards > 0.0:
        nx, ny, nz, towards = -nx, -ny, -nz, -towards
    m = materials_I8[i]
    tu = (w * texture_V2[a, 0] + u * texture_V2[b, 0] + v * texture_V2[c, 0]) * m[REPEAT_U]
    tv = (w * texture_V2[a, 1] + u * texture_V2[b, 1] + v * texture_V2[c, 1]) * m[REPEAT_V]
    far = np.sqrt((wx - view[0, 0]) ** 2 + (wy - view[0, 1]) ** 2 + (wz - view[0, 2]) ** 2)
    # How many texels the pixel covers.
    pixel = 2.0 * far / view[4, 0]
    footprint = texels_T[t] * abs(m[REPEAT_U] * m[REPEAT_V]) * pixel * pixel / max(-towards, 0.15)
    _texel(textures_KX3, int(m[TEXTURE_OF]), tu, tv, footprint, colour)

    _light(wx, wy, wz, nx, ny, nz, dx, dy, dz, towards, m, light, shadow, shadow_view, colour)


@inlined
def _light(
    wx: float, wy: float, wz: float, nx: float, ny: float, nz: float, dx: float, dy: float, dz: float,
    towards: float, m: F32, light: F64, shadow: F32, shadow_view: F64, colour: F64,
) -> None:  # fmt: skip
    """Turn a point's texture colour into light, by its normal n and the ray d that meets it."""
    key = max(nx * light[TO_KEY, 0] + ny * light[TO_KEY, 1] + nz * light[TO_KEY, 2], 0.0)
    fill = max(nx * light[TO_FILL, 0] + ny * light[TO_FILL, 1] + nz * light[TO_FILL, 2], 0.0)
    lit = 0.0
    if key > 0.0:
        lit = _lit(wx + nx * 0.012, wy + ny * 0.012, wz + nz * 0.012, shadow, shadow_view)
    up = 0.5 + 0.5 * nz
    # Glazed things need something to reflect: the lamp and the room's gradient.
    rx, ry, rz = dx - 2 * towards * nx, dy - 2 * towards * ny, dz - 2 * towards * nz
    grazing = 1.0 + towards
    grazing2 = grazing * grazing
    mirror = m[GLOSS] * (0.04 + 0.5 * grazing2 * grazing2 * grazing)
    pointed = max(rx * light[TO_KEY, 0] + ry * light[TO_KEY, 1] + rz * light[TO_KEY, 2], 0.0)
    for _ in range(5):
        pointed = pointed * pointed
    for k in range(3):
        albedo = colour[k] * colour[k] * m[TINT + k]
        ambient = light[GROUND, k] + (light[SKY, k] - light[GROUND, k]) * up
        diffuse = light[KEY, k] * key * lit + light[FILL, k] * fill + ambient
        reflected = light[GROUND, k] + (light[SKY, k] - light[GROUND, k]) * (0.5 + 0.5 * rz)
        shine = mirror * reflected * 2.0 + m[GLOSS] * pointed * lit * light[KEY, k] * 0.5
        colour[k] = albedo * (diffuse + m[GLOW] * 3.0) + shine


@inlined
def _came_from(
    before: F32, a: int, b: int, c: int, shares: F64, view: F64, x: int, y: int, motion: F32
) -> None:
    """The motion in pixels of a pixel's first sample, from where its point was seen before."""
    u, v = shares[0], shares[1]
    w = 1.0 - u - v
    dx = w * before[a, 0] + u * before[b, 0] + v * before[c, 0] - view[0, 0]
    dy = w * before[a, 1] + u * before[b, 1] + v * before[c, 1] - view[0, 1]
    dz = w * before[a, 2] + u * before[b, 2] + v * before[c, 2] - view[0, 2]
    far = dx * view[3, 0] + dy * view[3, 1] + dz * view[3, 2]
    if far >= 0.05:
        across = view[4, 2] + view[4, 0] * (dx * view[1, 0] + dy * view[1, 1] + dz * view[1, 2]) / far
        down = view[5, 2] - view[5, 0] * (dx * view[2, 0] + dy * view[2, 1] + dz * view[2, 2]) / far
        mx, my = (2 * x + 0.5 - across) * 0.5, (2 * y + 0.5 - down) * 0.5
        # Farther than this is a cut, over which nothing smears.
        if mx * mx + my * my < FARTHEST * FARTHEST:
            motion[y, x, 0], motion[y, x, 1] = mx, my


@compiled
def _texel(textures_KX3: U8, texture: int, u: float, v: float, footprint: float, colour: F64) -> None:
    """Bilinear lookup in the level whose texels are about as large as the pixel."""
    size, start = TEXTURE, 0
    while footprint > 2.0 and size > 4:
        start += size * size
        size //= 2
        footprint *= 0.25
    fu, fv = (u - np.floor(u)) * size - 0.5, (v - np.floor(v)) * size - 0.5
    u0, v0 = np.int64(np.floor(fu)), np.int64(np.floor(fv))
    su, sv = fu - u0, fv - v0
    left, right = u0 % size, (u0 + 1) % size
    upper, lower = start + (v0 % size) * size, start + ((v0 + 1) % size) * size
    for k in range(3):
        first = (
            textures_KX3[texture, upper + left, k] * (1 - su) + textures_KX3[texture, upper + right, k] * su
        )
        second = (
            textures_KX3[texture, lower + left, k] * (1 - su) + textures_KX3[texture, lower + right, k] * su
        )
        colour[k] = (first * (1 - sv) + second * sv) / 255.0


@compiled
def _lit(x: float, y: float, z: float, shadow: F32, view: F64) -> float:
    """The share of a soft key light that reaches a point: 4×4 taps of the shadow map."""
    dx, dy, dz = x - view[0, 0], y - view[0, 1], z - view[0, 2]
    sx = view[4, 2] + view[4, 0] * (dx * view[1, 0] + dy * view[1, 1] + dz * view[1, 2])
    sy = view[5, 2] - view[5, 0] * (dx * view[2, 0] + dy * view[2, 1] + dz * view[2, 2])
    near = -(dx * view[3, 0] + dy * view[3, 1] + dz * view[3, 2])
    size = shadow.shape[0]
    slack = 1.5 / view[4, 0]
    fx, fy = np.floor(sx - 0.5), np.floor(sy - 0.5)
    x0, y0 = np.int64(fx) - 1, np.int64(fy) - 1
    if x0 < 0 or y0 < 0 or x0 + 3 >= size or y0 + 3 >= size:
        return 1.0
    sx, sy = sx - 0.5 - fx, sy - 0.5 - fy
    # Where the four outer taps agree, so do nearly always the inner ones.
    corners = (
        (shadow[y0, x0] <= near + slack)
        + (shadow[y0, x0 + 3] <= near + slack)
        + (shadow[y0 + 3, x0] <= near + slack)
        + (shadow[y0 + 3, x0 + 3] <= near + slack)
    )
    if corners in (0, 4):
        return 0.25 * int(corners)
    total = 0.0
    for j in range(4):
        wy = 1 - sy if j == 0 else (sy if j == 3 else 1.0)
        for i in range(4):
            wx = 1 - sx if i == 0 else (sx if i == 3 else 1.0)
            if shadow[y0 + j, x0 + i] <= near + slack:
                total += wx * wy
    return total / 9.0
