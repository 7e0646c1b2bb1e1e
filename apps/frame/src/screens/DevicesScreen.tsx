import { listDevices, listEnrollments, renameDevice } from '@latchkey/wire'
import { type FormEvent, useCallback, useEffect, useRef, useState } from 'react'
import { account } from '../locales/account.en.ts'
import { en, fill } from '../locales/en.ts'
import { EnrolmentRequest, type WaitingDevice } from './EnrolmentRequest.tsx'
import { errorMessage } from './errorMessage.ts'
import type { PageEnding, PageProps } from './pageProps.ts'
import { Button } from './parts/Button.tsx'
import { GatedButton } from './parts/GatedButton.tsx'
import { WaitingRecoveries } from './parts/WaitingRecoveries.tsx'

const t = account.devices
const pollMs = 3_000
type Device = { id: string; name: string; current: boolean; lastUsedAtMs: number }

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
        <EnrolmentRequest key={ask.askId} ask={ask} keys={keys} onOver={load} />
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
  const row = useRef<HTMLLIElement>(null)
  const save = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim()) onRename(name.trim().slice(0, 64))
  }
  return (
    <li className="device" ref={row}>
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
            <GatedButton about={row} kind="danger" onPress={onRevoke}>
              {t.revoke}
            </GatedButton>
          </div>
        </div>
      )}
    </li>
  )
}
