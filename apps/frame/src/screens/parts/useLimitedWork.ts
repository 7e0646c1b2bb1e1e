import { formatWait, isError } from '@latchkey/wire'
import { useState } from 'react'
import { en, fill } from '../../locales/en.ts'
import { useCountdown } from './useCountdown.ts'
import { useWork } from './useWork.ts'

/**
 * Like {@link useWork}, for tasks that the server limits. `isLimited`: the server does not allow
 * another attempt yet, and `problem` shows how long.
 */
export function useLimitedWork() {
  const { problem, run, ...others } = useWork()
  const [againAtMs, setAgainAtMs] = useState(0)
  const seconds = useCountdown(againAtMs)
  const isLimited = seconds > 0
  const wait = isLimited ? fill(en.error.wait, { wait: formatWait(seconds) }) : ''
  return {
    ...others,
    isLimited,
    problem: wait || problem,
    run: (work: () => Promise<void>) =>
      run(async () => {
        setAgainAtMs(0)
        try {
          await work()
        } catch (error) {
          if (!isError(error, 'LOGIN_THROTTLED')) throw error
          setAgainAtMs(Date.now() + Number(error.data.seconds) * 1_000)
        }
      }),
  }
}
