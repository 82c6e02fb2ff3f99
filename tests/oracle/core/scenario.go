// Package oracle plays scenarios of the policy workbench on the real scheduler core, in simulated time.
//
// What it reads and writes is described in ../../conformance/scenarios/README.md. It honours the pace of a scenario and lets time
// pass up to an instant (until_ns), so that a run of a workload is played at the very nanoseconds at which it was decided.
package oracle

import "encoding/json"

// Amounts are quantities of resources in base units: millicores, bytes.
type Amounts map[string]int64

// Node registers, or has a new capacity.
type Node struct {
	ID          string            `json:"id"`
	Resources   Amounts           `json:"resources"`
	Attributes  map[string]string `json:"attributes"`
	Taints      []string          `json:"taints"`
	Schedulable *bool             `json:"schedulable"`
}

// Application is submitted.
type Application struct {
	ID             string            `json:"id"`
	Queue          string            `json:"queue"`
	User           string            `json:"user"`
	Groups         []string          `json:"groups"`
	Tags           map[string]string `json:"tags"`
	PlaceholderAsk Amounts           `json:"placeholder_ask"`
	GangStyle      string            `json:"gang_style"`
	TimeoutMS      int64             `json:"execution_timeout_ms"`
}

// Ask is a request, or with a node an allocation that already runs.
type Ask struct {
	App               string            `json:"app"`
	Key               string            `json:"key"`
	Resources         Amounts           `json:"resources"`
	Priority          int32             `json:"priority"`
	TaskGroup         string            `json:"task_group"`
	Placeholder       bool              `json:"placeholder"`
	Originator        bool              `json:"originator"`
	AllowPreemptSelf  *bool             `json:"allow_preempt_self"`
	AllowPreemptOther *bool             `json:"allow_preempt_other"`
	RequiredNode      string            `json:"required_node"`
	AllowedNodes      []string          `json:"allowed_nodes"`
	NodeSelector      map[string]string `json:"node_selector"`
	Tolerations       []string          `json:"tolerations"`
	Tags              map[string]string `json:"tags"`
	CreatedNS         *int64            `json:"created_ns"`
	Node              string            `json:"node"`
	Foreign           bool              `json:"foreign"`
}

// Released is stopped by the resource manager; with a type it confirms what the core announced, or says whatever else.
type Released struct {
	App  string `json:"app"`
	Key  string `json:"key"`
	Type string `json:"type"`
}

// Event has exactly one of these, and may ask for a snapshot.
type Event struct {
	AddNode      *Node        `json:"add_node"`
	UpdateNode   *Node        `json:"update_node"`
	DrainNode    string       `json:"drain_node"`
	UndrainNode  string       `json:"undrain_node"`
	RemoveNode   string       `json:"remove_node"`
	AddApp       *Application `json:"add_app"`
	RemoveApp    string       `json:"remove_app"`
	AddAsk       *Ask         `json:"add_ask"`
	AddAlloc     *Ask         `json:"add_allocation"`
	Release      *Released    `json:"release"`
	UpdateConfig string       `json:"update_config"`
	AdvanceMS    int64        `json:"advance_ms"`
	UntilNS      int64        `json:"until_ns"`
	Schedule     int          `json:"schedule"`
	Snapshot     bool         `json:"snapshot"`
}

// Pace is how much simulated time messages and cycles take.
type Pace struct {
	MessageNS int64 `json:"message_ns"`
	CycleNS   int64 `json:"cycle_ns"`
}

// Scenario is a configuration and what happens after the scheduler registered with it.
type Scenario struct {
	Name            string          `json:"name"`
	Description     string          `json:"description"`
	Engine          string          `json:"engine"`
	Config          string          `json:"config"`
	ConfirmReleases *bool           `json:"confirm_releases"`
	Pace            *Pace           `json:"pace"`
	Events          []Event         `json:"events"`
	Expect          json.RawMessage `json:"expect"`
}

// Outcome is one thing that the resource manager was told.
type Outcome map[string]any

// Item is what one event, or one cycle of one, brought about.
type Item struct {
	Event    int       `json:"event"`
	Cycle    int       `json:"cycle,omitempty"`
	TMS      int64     `json:"t_ms"`
	Outcomes []Outcome `json:"outcomes"`
}

// Recording is everything that happened.
type Recording struct {
	Scenario  string           `json:"scenario"`
	Core      string           `json:"core"`
	Error     string           `json:"error,omitempty"`
	Trace     []Item           `json:"trace"`
	Snapshots []map[string]any `json:"snapshots,omitempty"`
	Final     map[string]any   `json:"final"`
}
