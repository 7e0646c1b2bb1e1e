import sharp from 'sharp'
import type { SourceWallet } from './sourceWallet.ts'

/**
 * The picture of a wallet, 128 × 128 pixels (WebP): the first logo that can be read, or else the
 * first letter of the name.
 */
export async function drawPicture(name: string, sources: readonly SourceWallet[]): Promise<Buffer> {
  for (const icon of [...sources.map((source) => source.icon), drawInitial(name)]) {
    if (icon === undefined) continue
    const [, encoding, body = ''] =
      /^data:image\/[\w+.-]+(?:;charset=[\w-]+)?(;base64)?,([\s\S]*)$/.exec(icon) ?? []
    const bytes = icon.startsWith('<svg')
      ? Buffer.from(icon)
      : encoding
        ? Buffer.from(body, 'base64')
        : Buffer.from(decodeURIComponent(body))
    try {
      const background = { r: 0, g: 0, b: 0, alpha: 0 }
      return await sharp(bytes, { density: 300 })
        .resize(128, 128, { fit: 'contain', background })
        .webp({ quality: 84 })
        .toBuffer()
    } catch {
      // The next source may have a better one.
    }
  }
  throw new Error(`${name} has no picture`)
}

/** A letter on a disc, for a wallet without a logo. */
const drawInitial = (name: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="24" height="24"><circle cx="12" cy="12" r="12" fill="#3f6f5f"/><text x="12" y="12" dy=".36em" text-anchor="middle" font-family="sans-serif" font-weight="700" font-size="13" fill="#fff">${name.slice(0, 1)}</text></svg>`
