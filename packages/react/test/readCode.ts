import decodeQR from 'qr/decode.js'
import { page } from 'vitest/browser'

/** Reads the QR code from the pixels that an element is really drawn with, like a camera. */
export async function readCode(element: Element): Promise<string> {
  // Elements that fade in are not visible yet.
  await Promise.allSettled(element.getAnimations({ subtree: true }).map(({ finished }) => finished))
  const png = await page.elementLocator(element).screenshot({ save: false })
  const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob())
  const { width, height } = bitmap
  const context = new OffscreenCanvas(width, height).getContext('2d')
  if (!context) throw new Error('No canvas')
  context.drawImage(bitmap, 0, 0)
  const { data } = context.getImageData(0, 0, width, height)
  return decodeQR({ width, height, data }, { timeLimit: 20_000 })
}
