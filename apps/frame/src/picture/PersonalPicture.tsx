import type { Picture } from './picture.ts'

/** The user's picture; hidden if it could appear next to content of the page. */
export const PersonalPicture = ({
  picture: { label, path, color },
  isHidden = false,
}: {
  picture: Omit<Picture, 'id'>
  isHidden?: boolean
}) => (
  <svg
    className="picture"
    viewBox="-5 -5 34 34"
    role="img"
    aria-label={label}
    data-hidden={isHidden}
  >
    <path className="ground" fill={color} d="M-5-5h34v34H-5z" />
    <path d={path} />
  </svg>
)
