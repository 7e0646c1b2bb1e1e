import type { CodePrompt } from '../screens/CodeScreen.tsx'
import type { ScreenQueue } from '../screens/screenQueue.ts'

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
