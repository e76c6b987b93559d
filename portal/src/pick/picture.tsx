import { IconPhoto } from '@tabler/icons-react';
import { useState } from 'react';

/** A product's picture, or a placeholder if there is none or it cannot be loaded. */
export function Picture({ url }: { url: string | undefined }) {
  const [isBroken, setBroken] = useState(false);
  if (!url || isBroken) {
    return (
      <span className="picture" aria-hidden>
        <IconPhoto />
      </span>
    );
  }
  return <img className="picture" src={url} alt="" loading="lazy" onError={() => setBroken(true)} />;
}
