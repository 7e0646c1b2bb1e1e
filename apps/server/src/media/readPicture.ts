/** A picture that browsers show in an `img`. Sizes are in pixels, and 0 for an SVG. */
export type Picture = {
  readonly type:
    | 'image/png'
    | 'image/jpeg'
    | 'image/gif'
    | 'image/webp'
    | 'image/avif'
    | 'image/svg+xml'
  readonly width: number
  readonly height: number
}

const maxPixels = 40_000_000
const maxSide = 16_384

/**
 * The kind of picture, detected from the bytes and not from a declared type. Undefined for other
 * content, and for pictures whose header declares more pixels than a browser should have to unpack
 * (40 million).
 */
export function readPicture(bytes: Buffer): Picture | undefined {
  const picture = readers.map((read) => read(bytes)).find((found) => found !== undefined)
  if (picture === undefined || picture.type === 'image/svg+xml') return picture
  const { width, height } = picture
  const sides = [width, height].every((side) => side > 0 && side <= maxSide)
  return sides && width * height <= maxPixels ? picture : undefined
}

type Reader = (bytes: Buffer) => Picture | undefined

const textAt = (bytes: Buffer, start: number, end: number) => bytes.toString('latin1', start, end)

const readPng: Reader = (bytes) => {
  if (bytes.length < 33 || textAt(bytes, 0, 8) !== '\x89PNG\r\n\x1a\n') return undefined
  if (textAt(bytes, 12, 16) !== 'IHDR') return undefined
  return { type: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

const readGif: Reader = (bytes) => {
  if (bytes.length < 13 || !/^GIF8[79]a$/.test(textAt(bytes, 0, 6))) return undefined
  return { type: 'image/gif', width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }
}

// ITU T.81 B.1: markers up to the frame header, which are all SOF but DHT (C4), JPG (C8) and DAC
// (CC).
const readJpeg: Reader = (bytes) => {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined
  let at = 2
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xff) at += 1
    else if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return {
        type: 'image/jpeg',
        height: bytes.readUInt16BE(at + 5),
        width: bytes.readUInt16BE(at + 7),
      }
    else at += 2 + bytes.readUInt16BE(at + 2)
  }
  return undefined
}

// RFC 9649: an extended file, or a lossy or lossless one alone.
const readWebp: Reader = (bytes) => {
  if (bytes.length < 30 || textAt(bytes, 0, 4) !== 'RIFF' || textAt(bytes, 8, 12) !== 'WEBP')
    return undefined
  const type = 'image/webp'
  const chunk = textAt(bytes, 12, 16)
  if (chunk === 'VP8X')
    return { type, width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
  if (chunk === 'VP8 ' && bytes.readUIntBE(23, 3) === 0x9d012a)
    return { type, width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
  if (chunk !== 'VP8L' || bytes[20] !== 0x2f) return undefined
  const bits = bytes.readUInt32LE(21)
  return { type, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}

// ISO/IEC 23008-12: each picture of the file has its size in an `ispe` box; the largest counts.
const readAvif: Reader = (bytes) => {
  if (bytes.length < 16 || textAt(bytes, 4, 8) !== 'ftyp') return undefined
  const brands = textAt(bytes, 8, Math.min(bytes.readUInt32BE(0), 256))
  if (!/avi[fs]/.test(brands)) return undefined
  const sizes: { width: number; height: number }[] = []
  const head = bytes.subarray(0, 65_536)
  for (let at = head.indexOf('ispe'); at >= 0; at = head.indexOf('ispe', at + 4))
    if (at + 16 <= head.length)
      sizes.push({ width: head.readUInt32BE(at + 8), height: head.readUInt32BE(at + 12) })
  const [largest] = sizes.sort((a, b) => b.width * b.height - a.width * a.height)
  return largest && { type: 'image/avif', ...largest }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })
const beforeSvg =
  /^(?:\s|<\?xml[^>]*\?>|<!--(?:(?!-->)[\s\S])*-->|<!DOCTYPE\s+svg[^>[]*>)*<svg[\s>]/i

/** An SVG in UTF-8. Refuses entity declarations, because entities can expand without bound. */
const readSvg: Reader = (bytes) => {
  try {
    const text = utf8.decode(bytes)
    const isSvg = beforeSvg.test(text.slice(0, 4_096)) && !/<!ENTITY/i.test(text)
    return isSvg ? { type: 'image/svg+xml', width: 0, height: 0 } : undefined
  } catch {
    return undefined
  }
}

const readers: readonly Reader[] = [readPng, readGif, readJpeg, readWebp, readAvif, readSvg]
