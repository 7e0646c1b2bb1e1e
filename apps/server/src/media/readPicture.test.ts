import fc from 'fast-check'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { readPicture } from './readPicture.ts'

const drawing = (width = 33, height = 17) =>
  sharp({ create: { width, height, channels: 4, background: { r: 9, g: 99, b: 199, alpha: 0.5 } } })

const made = {
  png: () => drawing().png(),
  jpeg: () =>
    drawing()
      .jpeg({ progressive: true })
      .withExif({ IFD0: { Copyright: 'x' } }),
  gif: () => drawing().gif(),
  'webp, lossy': () => drawing().flatten().webp(),
  'webp, lossless': () => drawing().webp({ lossless: true }),
  'webp, extended': () =>
    drawing()
      .webp()
      .withExif({ IFD0: { Copyright: 'x' } }),
  avif: () => drawing().avif({ effort: 0 }),
}

test.each(Object.entries(made))('default: %s', async (name, make) => {
  const bytes = await make().toBuffer()
  expect(readPicture(bytes)).toEqual({
    type: `image/${name.split(',')[0]}`,
    width: 33,
    height: 17,
  })
})

test.each([
  '<svg/>'.replace('/', ' /'),
  '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
  '\ufeff<?xml version="1.0"?>\n<!-- a --><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x.dtd">\n<svg>é</svg>',
])('default: the SVG %s', (text) => {
  expect(readPicture(Buffer.from(text))?.type).toBe('image/svg+xml')
})

test.each([
  ['empty', ''],
  ['html', '<!DOCTYPE html><svg></svg>'],
  ['html with an svg inside', '<html><body><svg></svg></body></html>'],
  ['a script', 'alert("<svg>")'],
  ['entities', '<!DOCTYPE svg [<!ENTITY a "b">]><svg>&a;</svg>'],
  ['entities after it', '<svg ><!ENTITY a "b"></svg>'],
  ['another encoding', Buffer.from('\ufeff<svg></svg>', 'utf16le')],
  ['bytes that are no UTF-8', Buffer.from([0x3c, 0x73, 0x76, 0x67, 0x3e, 0xff])],
  ['a video', Buffer.from('\0\0\0\x20ftypisom\0\0\x02\0isomiso2avc1mp41', 'latin1')],
  ['a PDF', '%PDF-1.7 <svg>'],
  ['a PNG without a head', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')],
  ['a JPEG without a frame', Buffer.from([0xff, 0xd8, 0xff, 0xd9, 0, 0, 0, 0, 0, 0, 0, 0])],
  ['a BMP', 'BM\0\0\0\0\0\0\0\0'],
])('error: %s', (_, content) => {
  expect(readPicture(Buffer.from(content as string))).toBeUndefined()
})

test('error: pictures that unpack to more pixels than a browser should hold', async () => {
  const png = await made.png().toBuffer()
  const sized = (width: number, height: number) => {
    const bytes = Buffer.from(png)
    bytes.writeUInt32BE(width, 16)
    bytes.writeUInt32BE(height, 20)
    return readPicture(bytes)?.width
  }
  expect(sized(8_000, 5_000)).toBe(8_000)
  expect(sized(8_001, 5_000)).toBeUndefined()
  expect(sized(16_385, 1)).toBeUndefined()
  expect(sized(65_535, 65_535)).toBeUndefined()
  expect(sized(4_294_967_295, 1)).toBeUndefined()
  expect(sized(0, 5)).toBeUndefined()
  const avif = await made.avif().toBuffer()
  avif.writeUInt32BE(60_000, avif.indexOf('ispe') + 8)
  expect(readPicture(avif)).toBeUndefined()
})

test('behavior: no bytes, cut or changed anywhere, make it stumble', async () => {
  const all = await Promise.all(Object.values(made).map((make) => make().toBuffer()))
  fc.assert(
    fc.property(
      fc.constantFrom(...all),
      fc.nat(),
      fc.nat(400),
      fc.nat(255),
      (bytes, cut, at, byte) => {
        const changed = Buffer.from(bytes.subarray(0, cut % (bytes.length + 1)))
        if (at < changed.length) changed[at] = byte
        readPicture(changed)
      },
    ),
    { numRuns: 2_000 },
  )
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void readPicture(Buffer.from(bytes))),
  )
})
