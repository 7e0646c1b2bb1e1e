import { useEffect, useState } from 'react'
import type { FrameChain } from '../chains.ts'
import { createDelegations } from '../flows/delegations.ts'
import { callsTexts } from '../locales/calls.en.ts'
import { questions } from '../locales/questions.en.ts'
import { smartAccount as t } from '../locales/smartAccount.en.ts'
import { getErrorMessage } from './getErrorMessage.ts'
import type { PageEnding, PageProps } from './pageProps.ts'
import { Button } from './parts/Button.tsx'
import { ConfirmButton } from './parts/ConfirmButton.tsx'
import { buildPrompt } from './parts/prompt.ts'
import type { WithPicture } from './screenQueue.ts'

/**
 * The networks on which the smart account is active, a button that turns it on for future requests,
 * and buttons that turn it off.
 */
export function SmartAccountScreen(props: PageProps & PageEnding & WithPicture) {
  const { session, origin, picture, done } = props
  const asker = { session, origin, picture }
  const [delegations] = useState(() => createDelegations(props))
  const [type, setType] = useState<'eoa' | 'smartAccount'>()
  const [delegated, setDelegated] = useState<readonly FrameChain[]>()
  const [working, setWorking] = useState(false)
  const [problem, setProblem] = useState<unknown>()
  const load = async () => {
    setType(await delegations.readType())
    setDelegated(await delegations.list())
  }
  const run = async (work: () => Promise<void>) => {
    setWorking(true)
    setProblem(undefined)
    try {
      await work()
      await load()
    } catch (error) {
      setProblem(error)
    } finally {
      setWorking(false)
    }
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => {
    void run(async () => {})
  }, [])
  const turnOff = (chain: FrameChain) => run(() => delegations.end(chain))
  return (
    <div className="stack">
      <p>{callsTexts.explanation}</p>
      {problem !== undefined && (
        <p className="notice" data-level="danger" role="alert">
          {getErrorMessage(problem)}
        </p>
      )}
      <p className="small quiet" role="status">
        {working ? t.working : type === 'smartAccount' ? t.isOn : type === 'eoa' ? t.isOff : ''}
      </p>
      {type === 'eoa' && (
        <ConfirmButton
          disabled={working}
          asker={asker}
          question={askToChange(questions.turnOn)}
          onPress={() => run(() => delegations.writeType('smartAccount'))}
        >
          {t.turnOn}
        </ConfirmButton>
      )}
      {type === 'smartAccount' && (
        <ConfirmButton
          kind="quiet"
          disabled={working}
          asker={asker}
          question={askToChange(questions.stopUsing)}
          onPress={() => run(() => delegations.writeType('eoa'))}
        >
          {t.stopUsing}
        </ConfirmButton>
      )}
      {delegated?.map((chain) => (
        <div className="stack" key={chain.id}>
          <p className="small">{t.delegatedOn.replace('{network}', chain.name)}</p>
          <ConfirmButton
            kind="danger"
            disabled={working}
            asker={asker}
            question={buildPrompt(questions.turnOff, [
              { label: questions.network, value: chain.name },
            ])}
            onPress={() => turnOff(chain)}
          >
            {t.turnOff.replace('{network}', chain.name)}
          </ConfirmButton>
        </div>
      ))}
      {delegated?.length === 0 && <p className="small quiet">{t.nowhere}</p>}
      <Button kind="quiet" onClick={() => done(undefined)}>
        {t.close}
      </Button>
    </div>
  )
}

/** The confirmation in a popup, with the same content. */
const askToChange = (texts: typeof questions.turnOn | typeof questions.stopUsing) =>
  buildPrompt(texts, [{ label: questions.change, value: texts.change }], 'note')
