import type { WalletAddresses } from '@latchkey/wire'
import { fresh as t } from '../locales/fresh.en.ts'
import { Button } from './parts/Button.tsx'
import { WalletCard } from './parts/WalletCard.tsx'
import type { ScreenCallbacks } from './screenQueue.ts'

/** A wallet to choose: the name and the addresses by which its owner knows it. */
export type WalletChoice = {
  readonly label: string
  readonly realm: string
  readonly addresses: WalletAddresses
  /** What is confirmed before its phrase is shown. */
  readonly action: 'export' | `export ${string}`
}

/** Asks which wallet's phrase is meant. */
export const ChoosePhraseScreen = ({
  choices,
  done,
}: { choices: readonly WalletChoice[] } & ScreenCallbacks<WalletChoice>) => (
  <div className="stack">
    <p className="lead">{t.chooseExport}</p>
    {choices.map((choice) => (
      <div className="stack" key={choice.realm}>
        <WalletCard label={choice.label} addresses={choice.addresses} />
        <Button kind="quiet" onClick={() => done(choice)}>
          {choice.label}
        </Button>
      </div>
    ))}
  </div>
)
