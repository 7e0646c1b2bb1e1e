import { isError, listDevices, listEnrollments, renameDevice } from '@latchkey/wire'
import { type FormEvent, useCallback, useEffect, useState } from 'react'
import { account } from '../locales/account.en.ts'
import { en, fill } from '../locales/en.ts'
import type { Keys } from '../openKeys.ts'
import { Button } from './Button.tsx'
import { CompareWords } from './CompareWords.tsx'
import { errorMessage } from './errorMessage.ts'
import type { PageEnding, PageProps } from './pageProps.ts'
import { useWork } from './useWork.ts'
import { WaitingRecoveries } from './WaitingRecoveries.tsx'

const t = account.devices
const pollMs = 3_000
type Device = { id: string; name: string; current: boolean; lastUsedAtMs: number }
type WaitingDevice = { askId: string; name: string }

export function DevicesScreen({ session, keys, problem, done }: PageProps & PageEnding) {
  const [devices, setDevices] = useState<readonly Device[]>()
  const [asks, setAsks] = useState<readonly WaitingDevice[]>([])
  const [failure, setFailure] = useState('')
  const load = useCallback(async () => {
    try {
      // Loaded together, so that the page grows only once.
      const [known, waiting] = await Promise.all([
        session.call(listDevices, {}),
        session.call(listEnrollments, {}),
      ])
      setDevices(known.devices)
      setAsks(waiting.asks)
      setFailure('')
    } catch (error) {
      setFailure(errorMessage(error))
    }
  }, [session])
  useEffect(() => {
    void load()
    const timer = setInterval(load, pollMs)
    return () => clearInterval(timer)
  }, [load])
  return (
    <div className="stack">
      <WaitingRecoveries session={session} />
      {asks.map((ask) => (
        <Enrolment key={ask.askId} ask={ask} keys={keys} onOver={load} />
      ))}
      {(problem !== undefined || failure) && (
        <p className="notice" data-level="danger" role="alert">
          {failure || errorMessage(problem)}
        </p>
      )}
      {devices === undefined && !failure && <div className="skeleton" aria-busy="true" />}
      <ul className="list">
        {devices?.map((device) => (
          <DeviceRow
            key={device.id}
            device={device}
            onRename={(name) =>
              done({
                run: async () => {
                  await session.call(renameDevice, { id: device.id, name })
                },
              })
            }
            onRevoke={() =>
              done({
                run: async () => {
                  await keys.do('revoke', { id: device.id })
                },
              })
            }
          />
        ))}
      </ul>
      {devices?.length === 1 && <p className="small quiet">{t.empty}</p>}
      <button type="button" className="link" onClick={() => done({ to: 'settings' })}>
        {en.common.back}
      </button>
    </div>
  )
}

function DeviceRow({
  device,
  onRename,
  onRevoke,
}: {
  device: Device
  onRename: (name: string) => void
  onRevoke: () => void
}) {
  const [mode, setMode] = useState<'rename' | 'revoke'>()
  const [name, setName] = useState(device.name)
  const save = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim()) onRename(name.trim().slice(0, 64))
  }
  return (
    <li className="device">
      <div>
        <bdi className="strong">{device.name}</bdi>
        <span className="small quiet">
          {device.current
            ? t.this
            : fill(t.used, { when: new Date(device.lastUsedAtMs).toLocaleDateString() })}
        </span>
      </div>
      {mode === undefined && (
        <div className="tools">
          <button type="button" className="link" onClick={() => setMode('rename')}>
            {t.rename}
          </button>
          {!device.current && (
            <button
              type="button"
              className="link"
              data-level="danger"
              onClick={() => setMode('revoke')}
            >
              {t.revoke}
            </button>
          )}
        </div>
      )}
      {mode === 'rename' && (
        <form className="pair" onSubmit={save}>
          <input
            className="inline"
            aria-label={t.name}
            value={name}
            maxLength={64}
            onChange={({ target }) => setName(target.value)}
          />
          <Button type="submit">{t.save}</Button>
        </form>
      )}
      {mode === 'revoke' && (
        <div className="sure">
          <p className="small">{t.revokeSure}</p>
          <div className="pair">
            <Button kind="quiet" onClick={() => setMode(undefined)}>
              {en.common.cancel}
            </Button>
            <Button kind="danger" onClick={onRevoke}>
              {t.revoke}
            </Button>
          </div>
        </div>
      )}
    </li>
  )
}

/** A new device that asks for the wallet: the user compares words before anything is handed over. */
function Enrolment({ ask, keys, onOver }: { ask: WaitingDevice; keys: Keys; onOver: () => void }) {
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
          setProblem(errorMessage(error))
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
        <CompareWords words={words} busy={busy} onAnswer={answer} />
      ) : (
        <Button busy={busy || isMet} onClick={meet}>
          {t.compare}
        </Button>
      )}
    </section>
  )
}
