import { en } from '../locales/en.ts'
import type { Stage } from '../screens/stage.ts'

export type CodeAsk<Result> = {
  title: 'login' | 'primary' | 'secondary' | 'stepUp' | 'recovery'
  /** Where the code was sent to; empty when the frame does not know. */
  email: string
  /** By this page's clock. */
  resendAtMs: number
  /** Mails another; resolves to the seconds until the next. */
  resend: () => Promise<number>
  /** Resolves when the code was right. */
  check: (code: string) => Promise<Result>
  signal?: AbortSignal
}

const titles = {
  login: en.code.title,
  primary: en.code.titlePrimary,
  secondary: en.code.titleSecondary,
  stepUp: en.code.titleStepUp,
  recovery: en.code.titleRecovery,
} as const

/** Shows the six boxes until a code was right. Throws USER_REJECTED, ABORTED, and what ends the login. */
export const showCode = <Result>(stage: Stage, ask: CodeAsk<Result>): Promise<Result> =>
  stage.show<CodeAsk<Result>, Result>(
    {
      view: 'code',
      title: titles[ask.title],
      // What the check gives goes through the screen unseen.
      load: async () => (await import('../screens/CodeScreen.tsx')).CodeScreen as never,
      props: ask,
    },
    ask.signal,
  )
