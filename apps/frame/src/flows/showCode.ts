import type { ScreenQueue } from '../screens/screenQueue.ts'

export type CodePrompt<Result> = {
  title: string
  /** What the code does, and to what, where that is more than signing in. */
  about?: CodePurpose
  /** Where the code was sent to. */
  email: string
  /** The number that the mail names. */
  matchCode?: string
  /** By this page's clock. */
  resendAtMs: number
  /** Mails another; resolves to the seconds until the next. */
  resendCode: () => Promise<number>
  /** Resolves when the code was right. */
  check: (code: string) => Promise<Result>
  signal?: AbortSignal
}
export type CodePurpose = { readonly text: string; readonly target?: string | undefined }

/** Shows the six boxes until a code was right. Throws USER_REJECTED, ABORTED, and what ends the login. */
export const showCode = <Result>(
  screenQueue: ScreenQueue,
  ask: CodePrompt<Result>,
): Promise<Result> =>
  screenQueue.show<CodePrompt<Result>, Result>(
    {
      view: 'code',
      title: ask.title,
      // What the check gives goes through the screen unseen.
      load: async () => (await import('../screens/CodeScreen.tsx')).CodeScreen as never,
      props: ask,
    },
    ask.signal,
  )
