import { useEffect, useRef, useState } from 'react'
import { texts } from '../texts.ts'
import { readFrame } from './readQr.ts'

const everyMs = 150
const timeLimitMs = 60

/** Shows the camera and reports the first code in view. */
export function Camera({ onCode }: { onCode: (text: string) => void }) {
  const video = useRef<HTMLVideoElement>(null)
  const latestOnCode = useRef(onCode)
  latestOnCode.current = onCode
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    const abort = new AbortController()
    watchCamera({ video: () => video.current, signal: abort.signal }).then(
      (text) => text !== undefined && latestOnCode.current(text),
      (error: unknown) => !abort.signal.aborted && setProblem(getProblem(error)),
    )
    return () => abort.abort()
  }, [])
  return (
    <div className="camera">
      {problem === undefined ? (
        <>
          <video ref={video} playsInline muted aria-label={texts.camera} data-testid="camera" />
          <p>{texts.scanning}</p>
        </>
      ) : (
        <p role="alert" data-testid="camera-problem">
          {problem}
        </p>
      )}
    </div>
  )
}

async function watchCamera(parameters: {
  video: () => HTMLVideoElement | null
  signal: AbortSignal
}): Promise<string | undefined> {
  const { video, signal } = parameters
  const stream = await navigator.mediaDevices.getUserMedia({
    video: { facingMode: 'environment', width: { ideal: 1280 } },
  })
  try {
    const element = video()
    if (signal.aborted || !element) return undefined
    element.srcObject = stream
    await element.play()
    while (!signal.aborted) {
      const { videoWidth: width, videoHeight: height } = element
      const text = await readFrame(element, { width, height, timeLimitMs })
      if (text !== undefined) return signal.aborted ? undefined : text
      await new Promise((resolve) => setTimeout(resolve, everyMs))
    }
    return undefined
  } finally {
    for (const track of stream.getTracks()) track.stop()
  }
}

function getProblem(error: unknown): string {
  const name = error instanceof Error ? error.name : ''
  if (name === 'NotAllowedError' || name === 'SecurityError') return texts.cameraRefused
  if (name === 'NotFoundError' || name === 'TypeError') return texts.noCamera
  return texts.cameraFailed
}
