import { type FrameView, LatchkeyError } from '@latchkey/wire'
import type { ComponentType } from 'react'
import type { Picture } from '../picture/picture.ts'

/** How a screen ends. */
export type ScreenCallbacks<Result> = {
  readonly done: (result: Result) => void
  readonly fail: (error: LatchkeyError) => void
}

/** The prop that every screen gets in addition: the personal picture, if the user has one. */
export type WithPicture = { readonly picture?: Picture | undefined }

/** A screen to show: its component gets `props` and the callbacks that end it. */
export type Screen<Props, Result> = {
  readonly view: FrameView
  readonly title: string
  /** Loads the component. */
  readonly load: () => Promise<ComponentType<Props & ScreenCallbacks<Result> & WithPicture>>
  readonly props: Props
  /** The height to request from the host, in CSS px; by default the content's height. */
  readonly height?: number
}

/** The current screen; each screen has a different `id`. */
export type VisibleScreen = {
  readonly id: number
  readonly view: FrameView
  readonly title: string
  readonly height: number | undefined
  readonly Component: ComponentType
  readonly props: object
  readonly picture: Picture | undefined
  /** Whether the screen has ended. It stays visible until the next screen is ready. */
  readonly over: boolean
}

/** Shows one screen at a time; the others wait. The frame shows nothing outside this queue. */
export type ScreenQueue = {
  /**
   * Resolves with the result of the screen. Rejects with its error, with USER_REJECTED if it was
   * closed, or with ABORTED by `signal`.
   */
  show<Props extends object, Result>(
    screen: Screen<Props, Result>,
    signal?: AbortSignal,
  ): Promise<Result>
  /** Keeps the last screen visible and inert between the screens of `work`. */
  during<Result>(work: () => Promise<Result>): Promise<Result>
  /** Call it when the user closes the screen. */
  close(): void
  current(): VisibleScreen | undefined
  subscribe(listener: () => void): () => void
}

/**
 * `draw` loads the rendering code when the first screen is shown; `readPicture` reads the picture
 * that appears on each screen.
 */
export function createScreenQueue({
  draw,
  readPicture,
}: {
  draw?: () => Promise<void>
  readPicture?: () => Promise<Picture | undefined>
} = {}): ScreenQueue {
  const listeners = new Set<() => void>()
  let visible: VisibleScreen | undefined
  let closeShown: (() => void) | undefined
  // Closed between two screens of one task.
  let isLeft = false
  let count = 0
  let holds = 0
  let tail: Promise<unknown> = Promise.resolve()
  const put = (next: VisibleScreen | undefined) => {
    visible = next
    for (const listener of listeners) listener()
  }

  const play = async <Props extends object, Result>(
    { view, title, load, props, height }: Screen<Props, Result>,
    signal: AbortSignal | undefined,
  ): Promise<Result> => {
    if (signal?.aborted) throw new LatchkeyError('ABORTED')
    const [Component, picture] = await Promise.all([
      load() as Promise<ComponentType<object>>,
      readPicture?.(),
      draw?.(),
    ])
    if (isLeft) throw new LatchkeyError('USER_REJECTED')
    const id = ++count
    try {
      return await new Promise<Result>((done, fail) => {
        if (signal?.aborted) return fail(new LatchkeyError('ABORTED'))
        signal?.addEventListener('abort', () => fail(new LatchkeyError('ABORTED')), { once: true })
        closeShown = () => fail(new LatchkeyError('USER_REJECTED'))
        const given = { ...props, picture, done, fail }
        put({ id, view, title, height, Component, props: given, picture, over: false })
      })
    } finally {
      closeShown = undefined
      put(holds > 0 && visible ? { ...visible, over: true } : undefined)
    }
  }

  return {
    show: (screen, signal) => {
      const playing = tail.then(() => play(screen, signal))
      tail = playing.catch(() => {})
      return playing
    },
    during: async (work) => {
      holds += 1
      try {
        return await work()
      } finally {
        holds -= 1
        if (holds === 0) isLeft = false
        if (holds === 0 && visible?.over) put(undefined)
      }
    },
    close: () => {
      isLeft = closeShown === undefined && holds > 0
      closeShown?.()
    },
    current: () => visible,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
