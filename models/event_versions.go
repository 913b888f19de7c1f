package models

// caches are what a process keeps of the events in use, by the versions in their
// rows. These are read with every key, so no replica serves an outdated row.
type caches struct {
	metadata   *Cache[string, version, *metadataSet]
	counts     *Cache[countKey, version, int64]
	statuses   *Cache[countKey, version, map[Status]int64]
	kinds      *Cache[string, version, kindCounts]
	dashboards *Cache[string, dashboardState, *Dashboard]
}

const (
	cachedEvents = 256
	cachedCounts = 8192
)

func newCaches() caches {
	return caches{
		metadata:   NewCache[string, version, *metadataSet](cachedEvents),
		counts:     NewCache[countKey, version, int64](cachedCounts),
		statuses:   NewCache[countKey, version, map[Status]int64](cachedCounts / len(Statuses)),
		kinds:      NewCache[string, version, kindCounts](cachedEvents),
		dashboards: NewCache[string, dashboardState, *Dashboard](cachedEvents),
	}
}

// sessionsVersion is that of the sessions, as of when the handle's event was read.
func (p *Programme) sessionsVersion() version { return p.store.version(p.event.SessionsVersion) }

// metadataVersion is that of the metadata.
func (p *Programme) metadataVersion() version { return p.store.version(p.event.MetadataVersion) }
