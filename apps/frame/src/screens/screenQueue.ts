import { type FrameView, LatchkeyError } from '@latchkey/wire'
import type { ComponentType } from 'react'

/** How a screen ends. */
export type ScreenCallbacks<Result> = {
  readonly done: (result: Result) => void
  readonly fail: (error: LatchkeyError) => void
}

/** A screen to be shown: its component gets `props` and how to end. */
export type Screen<Props, Result> = {
  readonly view: FrameView
  readonly title: string
  /** Loads the component. */
  readonly load: () => Promise<ComponentType<Props & ScreenCallbacks<Result>>>
  readonly props: Props
  /** The height it asks the host for, CSS px, where that is not its content's. */
  readonly height?: number
}

/** What stands on the stage; `id` differs from screen to screen. */
export type VisibleScreen = {
  readonly id: number
  readonly view: FrameView
  readonly title: string
  readonly height: number | undefined
  readonly Component: ComponentType
  readonly props: object
  /** It has ended, and stays in sight until the next one is there. */
  readonly over: boolean
}

/** The one place where the frame shows something: one screen at a time, the others wait. */
export type ScreenQueue = {
  /** Resolves with what the screen ends with. Rejects with its error, USER_REJECTED when it was closed, ABORTED by `signal`. */
  show<Props extends object, Result>(
    screen: Screen<Props, Result>,
    signal?: AbortSignal,
  ): Promise<Result>
  /** Keeps the last screen in sight, inert, from one screen of `work` to the next. */
  during<Result>(work: () => Promise<Result>): Promise<Result>
  /** The person closed what is shown. */
  close(): void
  current(): VisibleScreen | undefined
  subscribe(listener: () => void): () => void
}

/** `draw` loads what draws the stage: nothing stands on it before. */
export function createScreenQueue(draw?: () => Promise<void>): ScreenQueue {
  const listeners = new Set<() => void>()
  let shown: VisibleScreen | undefined
  let closeShown: (() => void) | undefined
  // Closed between two screens of one piece of work.
  let left = false
  let count = 0
  let holds = 0
  let tail: Promise<unknown> = Promise.resolve()
  const put = (next: VisibleScreen | undefined) => {
    shown = next
    for (const listener of listeners) listener()
  }

  const play = async <Props extends object, Result>(
    { view, title, load, props, height }: Screen<Props, Result>,
    signal: AbortSignal | undefined,
  ): Promise<Result> => {
    if (signal?.aborted) throw new LatchkeyError('ABORTED')
    const [Component] = await Promise.all([load() as Promise<ComponentType<object>>, draw?.()])
    if (left) throw new LatchkeyError('USER_REJECTED')
    const id = ++count
    try {
      return await new Promise<Result>((done, fail) => {
        if (signal?.aborted) return fail(new LatchkeyError('ABORTED'))
        signal?.addEventListener('abort', () => fail(new LatchkeyError('ABORTED')), { once: true })
        closeShown = () => fail(new LatchkeyError('USER_REJECTED'))
        put({ id, view, title, height, Component, props: { ...props, done, fail }, over: false })
      })
    } finally {
      closeShown = undefined
      put(holds > 0 && shown ? { ...shown, over: true } : undefined)
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
        if (holds === 0) left = false
        if (holds === 0 && shown?.over) put(undefined)
      }
    },
    close: () => {
      left = closeShown === undefined && holds > 0
      closeShown?.()
    },
    current: () => shown,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
