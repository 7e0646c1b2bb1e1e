const longestSide = 2_048
const timeLimitMs = 1_500

/**
 * The content of the first QR code in an image, else undefined. Throws if `source` is not an image.
 */
export async function readQr(source: Blob): Promise<string | undefined> {
  const image = await createImageBitmap(source)
  try {
    return await readFrame(image, { width: image.width, height: image.height, timeLimitMs })
  } finally {
    image.close()
  }
}

/** Like {@link readQr}, for anything that a canvas can draw, for example a camera frame. */
export async function readFrame(
  source: CanvasImageSource,
  frame: { width: number; height: number; timeLimitMs: number },
): Promise<string | undefined> {
  const { decodeQR } = await import('qr/decode.js')
  const scale = Math.min(1, longestSide / Math.max(frame.width, frame.height, 1))
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(frame.width * scale)
  canvas.height = Math.round(frame.height * scale)
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context || canvas.width === 0 || canvas.height === 0) return undefined
  // A code on a transparent image needs a white background.
  context.fillStyle = 'white'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.drawImage(source, 0, 0, canvas.width, canvas.height)
  try {
    return decodeQR(context.getImageData(0, 0, canvas.width, canvas.height), {
      timeLimit: frame.timeLimitMs,
    })
  } catch {
    return undefined
  }
}
