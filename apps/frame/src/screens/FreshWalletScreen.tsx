import { LatchkeyError, readMe } from '@latchkey/wire'
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { announceWallet } from '../flows/walletNews.ts'
import { codes } from '../locales/codes.en.ts'
import { en } from '../locales/en.ts'
import { fresh as t } from '../locales/fresh.en.ts'
import { createCallsAccess } from '../requests/calls/callsAccess.ts'
import type { WorkResult } from '../wallet/worker/messages.ts'
import { errorMessage } from './errorMessage.ts'
import type { PageEnding, PageProps } from './pageProps.ts'
import { DropWallet } from './parts/DropWallet.tsx'
import { GatedButton } from './parts/GatedButton.tsx'
import { Holdings } from './parts/Holdings.tsx'
import { KitPaper } from './parts/KitPaper.tsx'
import { useWork } from './parts/useWork.ts'
import { WalletCard } from './parts/WalletCard.tsx'

type Wallets = WorkResult<'readWallets'>
type Other = NonNullable<Wallets['other']>

/** Moves to a wallet with a new key, step by step. What is there decides what comes next, so that it goes on after any failure. */
export function FreshWalletScreen(props: PageProps & PageEnding) {
  const { keys, store, problem, done } = props
  const [wallets, setWallets] = useState<Wallets>()
  const [kit, setKit] = useState<string>()
  const work = useWork()
  const { busy, setProblem, run } = work
  const load = useCallback(async () => {
    try {
      setWallets(await keys.do('readWallets', {}))
    } catch (error) {
      setProblem(errorMessage(error))
    }
  }, [keys, setProblem])
  useEffect(() => {
    void load()
  }, [load])
  const create = (kit: string) =>
    run(async () => {
      const { addresses } = await keys.do('createFresh', { factors: [{ kind: 'kit', kit }] })
      const access = (account = '') => createCallsAccess(store, { origin: '', account })
      // It sends as the wallet does that it follows.
      const type = await access(wallets?.current.addresses.eip155).readType()
      await access(addresses.eip155).writeType(type)
      setKit(undefined)
      await load()
    })
  if (kit !== undefined)
    return (
      <KitPaper
        kit={kit}
        busy={busy}
        problem={work.problem || (busy ? t.making : '')}
        onKept={() => create(kit)}
      />
    )
  const failure = work.problem || (problem === undefined ? '' : errorMessage(problem))
  return (
    <div className="stack">
      {failure && (
        <p className="notice" data-level="danger" role="alert">
          {failure}
        </p>
      )}
      {!wallets && !failure && <div className="skeleton" aria-busy="true" />}
      {wallets && !wallets.other && (
        <Start
          busy={busy}
          onCreate={() => run(async () => setKit((await keys.do('createKit', {})).kit))}
        />
      )}
      {wallets?.other && <Both {...props} wallets={wallets} other={wallets.other} />}
      <button type="button" className="link" onClick={() => done({ to: 'settings' })}>
        {en.common.back}
      </button>
    </div>
  )
}

function Start({ busy, onCreate }: { busy: boolean; onCreate: () => void }): ReactNode {
  return (
    <>
      <p className="lead">{t.lead}</p>
      <ol className="steps" aria-label={t.steps}>
        {[t.step1, t.step2, t.step3, t.step4].map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <p className="small quiet">{t.pause}</p>
      <GatedButton busy={busy} onPress={onCreate}>
        {t.create}
      </GatedButton>
    </>
  )
}

type Pair = PageProps & PageEnding & { wallets: Wallets; other: Other }

function Both({ wallets, other, keys, session, read, facts, done }: Pair): ReactNode {
  const { current } = wallets
  const { walletId, realm, isOlder, addresses } = other
  const old = isOlder ? addresses : current.addresses
  const use = () =>
    done({
      run: async () => {
        // Nothing is signed before it is confirmed.
        const { stepUpSeconds } = await session.call(readMe, { action: `use ${walletId}` })
        if (stepUpSeconds === 0) throw new LatchkeyError('STEP_UP_NEEDED')
        await keys.do('moveTo', { walletId })
        announceWallet()
      },
      code: {
        action: `use ${walletId}`,
        about: { text: codes.stepUp.use, target: addresses?.eip155 ?? '' },
      },
    })
  const drop = () =>
    done({
      run: async () => {
        await keys.do('dropOther', { walletId, realm })
      },
      code: {
        action: `drop ${walletId}`,
        about: { text: codes.stepUp.drop, target: addresses?.eip155 ?? t.oldWallet },
      },
    })
  return (
    <>
      {isOlder && <p className="lead">{t.nowFresh}</p>}
      <WalletCard label={t.inUse} addresses={current.addresses} />
      {addresses && (
        <WalletCard
          label={isOlder ? t.oldWallet : t.freshWallet}
          addresses={addresses}
          canCopy={!isOlder}
        />
      )}
      {!addresses && (
        <p className="notice" data-level={isOlder ? undefined : 'caution'}>
          {isOlder ? t.elsewhereOld : t.elsewhereFresh}
        </p>
      )}
      {!isOlder && addresses && <p>{t.sendNow}</p>}
      {old && <Holdings {...{ read, facts, addresses: old }} />}
      {addresses && (
        <div className="stack">
          <GatedButton kind={isOlder ? 'quiet' : 'main'} onPress={use}>
            {isOlder ? t.useOld : t.use}
          </GatedButton>
          <p className="small quiet">{isOlder ? t.useOldHint : t.useHint}</p>
        </div>
      )}
      {(addresses || isOlder) && (
        <DropWallet label={isOlder ? t.dropOld : t.dropFresh} onDrop={drop} />
      )}
    </>
  )
}
