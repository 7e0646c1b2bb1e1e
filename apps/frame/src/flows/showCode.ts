import type { Stage } from '../screens/screenQueue.ts'

export type CodeAsk<Result> = {
  title: string
  /** What the code does, and to what, where that is more than signing in. */
  about?: About
  /** Where the code was sent to. */
  email: string
  /** The number that the mail names. */
  matchCode?: string
  /** By this page's clock. */
  resendAtMs: number
  /** Mails another; resolves to the seconds until the next. */
  resend: () => Promise<number>
  /** Resolves when the code was right. */
  check: (code: string) => Promise<Result>
  signal?: AbortSignal
}
export type About = { readonly text: string; readonly target?: string | undefined }

/** Shows the six boxes until a code was right. Throws USER_REJECTED, ABORTED, and what ends the login. */
export const showCode = <Result>(stage: Stage, ask: CodeAsk<Result>): Promise<Result> =>
  stage.show<CodeAsk<Result>, Result>(
    {
      view: 'code',
      title: ask.title,
      // What the check gives goes through the screen unseen.
      load: async () => (await import('../screens/CodeScreen.tsx')).CodeScreen as never,
      props: ask,
    },
    ask.signal,
  )
