import { isError, LatchkeyError, readMeRoute } from '@latchkey/wire'
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { codes } from '../locales/codes.en.ts'
import { migration as t } from '../locales/migration.en.ts'
import type { WorkResult } from '../wallet/worker/messages.ts'
import { getErrorMessage } from './getErrorMessage.ts'
import type { PageEnding, PageProps } from './pageProps.ts'
import { GuardedButton } from './parts/GuardedButton.tsx'
import { RecoveryKitPaper } from './parts/RecoveryKitPaper.tsx'
import { TwoWallets } from './parts/TwoWallets.tsx'
import { useWork } from './parts/useWork.ts'
import type { WithPicture } from './screenQueue.ts'

type Wallets = WorkResult<'readWallets'>
const code = { action: 'fresh wallet', about: { text: codes.stepUp.createReplacement } } as const

/**
 * Moves the account to a wallet with a new key. The state of the two wallets decides the next step,
 * so a move continues after any failure.
 *
 * `wallet/migration/createReplacementWallet` creates the wallet; `wallet/migration/migrateWallet`
 * opens it with its kit and has both wallets sign the move, which the vault stores. Every browser
 * then follows the move in `wallet/migration/followMigrations`, after a check against the wallet
 * that it has pinned. `flows/walletNews` notifies open frames, and `handlers/createAccount`
 * notifies the page.
 */
export function MigrationScreen(props: PageProps & PageEnding & WithPicture) {
  const { keys, session, problem, done } = props
  const [wallets, setWallets] = useState<Wallets>()
  const [kit, setKit] = useState<string>()
  const work = useWork()
  const { setProblem, busy, run } = work
  const load = useCallback(async () => {
    try {
      const found = await keys.do('readWallets', {})
      setWallets(found)
      if (found.other) return
      // Shows a kit after the user has confirmed that they want one.
      const { stepUpSeconds } = await session.call(readMeRoute, { action: 'fresh wallet' })
      if (stepUpSeconds > 0) setKit((await keys.do('createKit', {})).kit)
    } catch (error) {
      setProblem(getErrorMessage(error))
    }
  }, [keys, session, setProblem])
  useEffect(() => {
    void load()
  }, [load])
  const begin = () =>
    done({
      code,
      run: async () => {
        const { stepUpSeconds } = await session.call(readMeRoute, { action: 'fresh wallet' })
        if (stepUpSeconds === 0) throw new LatchkeyError('STEP_UP_NEEDED')
      },
    })
  const create = (kit: string) =>
    run(async () => {
      try {
        await keys.do('createReplacement', { kit })
      } catch (error) {
        // If the confirmation was too long ago, it is requested again, and the same kit is used.
        if (isError(error, 'STEP_UP_NEEDED'))
          return done({
            code,
            run: async () => {
              await keys.do('createReplacement', { kit })
            },
          })
        if (!isError(error, 'WALLET_EXISTS')) throw error
        setProblem(t.exists)
      }
      setKit(undefined)
      setWallets(await keys.do('readWallets', {}))
    })
  if (kit !== undefined && wallets?.other === undefined)
    return (
      <RecoveryKitPaper
        kit={kit}
        busy={busy}
        problem={work.problem || (busy ? t.making : '')}
        onKept={() => create(kit)}
      />
    )
  const failure = work.problem || (problem === undefined ? '' : getErrorMessage(problem))
  return (
    <div className="stack">
      {failure && (
        <p className="notice" data-level="danger" role="alert">
          {failure}
        </p>
      )}
      {!wallets && !failure && <div className="skeleton" aria-busy="true" />}
      {wallets && !wallets.other && <Start isDurable={wallets.durable} onCreate={begin} />}
      {wallets?.other && (
        <TwoWallets {...props} wallets={wallets} other={wallets.other} onChanged={load} />
      )}
    </div>
  )
}

function Start({ isDurable, onCreate }: { isDurable: boolean; onCreate: () => void }): ReactNode {
  return (
    <>
      <p className="lead">{t.lead}</p>
      <ol className="steps" aria-label={t.steps}>
        {[t.step1, t.step2, t.step3, t.step4].map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <p className="small quiet">{t.pause}</p>
      {isDurable ? (
        <GuardedButton onPress={onCreate}>{t.create}</GuardedButton>
      ) : (
        <p className="notice" data-level="caution">
          {t.volatile}
        </p>
      )}
    </>
  )
}
