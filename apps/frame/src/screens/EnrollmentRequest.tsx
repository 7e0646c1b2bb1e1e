import { isError } from '@latchkey/wire'
import { useEffect, useState } from 'react'
import { account } from '../locales/account.en.ts'
import type { KeyClient } from '../openKeys.ts'
import { getErrorMessage } from './getErrorMessage.ts'
import { Button } from './parts/Button.tsx'
import { CompareWords } from './parts/CompareWords.tsx'
import type { PromptContext } from './parts/prompt.ts'
import { useWork } from './parts/useWork.ts'

const t = account.devices
export type WaitingDevice = { askId: string; name: string }

/**
 * A new device that requests the wallet: the user compares words before anything is handed over.
 */
export function EnrollmentRequest({
  ask,
  asker,
  keys,
  onOver,
}: {
  ask: WaitingDevice
  asker: PromptContext
  keys: KeyClient
  onOver: () => void
}) {
  const [isMet, setMet] = useState(false)
  const [words, setWords] = useState<string>()
  const { busy, problem, setProblem, run } = useWork()
  const { askId } = ask
  useEffect(() => {
    if (!isMet || words) return
    const timer = setInterval(() => {
      keys.do('words', { askId }).then(
        (found) => setWords(found.words),
        (error: unknown) => {
          if (!isError(error, 'ENROLMENT_STOPPED')) return
          setProblem(getErrorMessage(error))
          setMet(false)
        },
      )
    }, 1_000)
    return () => clearInterval(timer)
  }, [keys, askId, isMet, words, setProblem])
  const meet = () =>
    run(async () => {
      await keys.do('meet', { askId })
      setMet(true)
    })
  const answer = (isSame: boolean) =>
    run(async () => {
      await keys.do(isSame ? 'approve' : 'refuse', { askId })
      onOver()
    })
  return (
    <section className="card">
      <p className="strong">{t.asks}</p>
      <p>
        <bdi>{ask.name}</bdi>
      </p>
      {!words && <p className="small quiet">{t.asksHint}</p>}
      <p className="line" role="status" data-level="danger">
        {problem}
      </p>
      {words ? (
        <CompareWords {...{ words, name: ask.name, asker, busy }} onAnswer={answer} />
      ) : (
        <Button busy={busy || isMet} onClick={meet}>
          {t.compare}
        </Button>
      )}
    </section>
  )
}
