import { QrCode } from '@latchkey/react'
import { text } from '../locales/text.ts'
import { Glyph } from '../parts/Glyph.tsx'
import { CopyButton } from './CopyButton.tsx'
import { WholeAddress } from './WholeAddress.tsx'

/** A payment link as a code to scan, to copy and to share, and the address that it pays. */
export function RequestLink({ to, address, link }: { to: string; address: string; link: string }) {
  // If the user leaves the share sheet, nothing has to be shown.
  const share = () => navigator.share({ title: text('pay.title', { name: to }), url: link })
  return (
    <section className="card payAddress" aria-label={text('request.link')}>
      <div className="payScan">
        <QrCode text={link} label={text('request.code')} />
      </div>
      <p className="payLine">
        <a href={link} dir="ltr" translate="no" title={link}>
          {link}
        </a>
      </p>
      <div className="payShare">
        <CopyButton value={link} label={text('request.copy')} copied={text('request.copied')} />
        {typeof navigator.share === 'function' && (
          <button type="button" className="button" onClick={() => void share().catch(() => {})}>
            <Glyph name="send" />
            {text('request.share')}
          </button>
        )}
      </div>
      <div>
        <p className="quiet small">{text('request.paid')}</p>
        <WholeAddress address={address} />
      </div>
      <p className="quiet small">{text('pay.note')}</p>
    </section>
  )
}
