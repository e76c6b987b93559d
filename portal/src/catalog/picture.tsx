import { Center } from '@mantine/core';
import { IconPhoto } from '@tabler/icons-react';
import { useState } from 'react';

/** A product's picture, or a placeholder if the product has none or the picture cannot be loaded. */
export function Picture({ url, size }: { url: string | undefined; size: number }) {
  const [isBroken, setBroken] = useState(false);
  if (!url || isBroken) {
    return (
      <Center className="picture" w={size} h={size} style={{ flexShrink: 0 }}>
        <IconPhoto size={size / 2} stroke={1.3} color="#aab3bc" aria-hidden />
      </Center>
    );
  }
  return (
    <img
      className="picture"
      src={url}
      width={size}
      height={size}
      alt=""
      loading="lazy"
      style={{ flexShrink: 0 }}
      onError={() => setBroken(true)}
    />
  );
}
