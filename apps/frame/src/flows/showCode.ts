import type { CodePrompt } from '../screens/CodeScreen.tsx'
import type { ScreenQueue } from '../screens/screenQueue.ts'

/**
 * Shows the six boxes until a code is right. Throws USER_REJECTED, ABORTED, and errors that end the
 * login.
 */
export const showCode = <Result>(
  screenQueue: ScreenQueue,
  ask: CodePrompt<Result>,
): Promise<Result> =>
  screenQueue.show<CodePrompt<Result>, Result>(
    {
      view: 'code',
      title: ask.title,
      // The screen passes the result of the check through.
      load: async () => (await import('../screens/CodeScreen.tsx')).CodeScreen as never,
      props: ask,
    },
    ask.signal,
  )
