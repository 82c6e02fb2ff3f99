package oracle

import (
	"errors"
	"slices"
	"sync"

	"github.com/apache/yunikorn-scheduler-interface/lib/go/si"
)

// manager is the resource manager: it writes down what the core tells it, and answers whether a pod may run on a node.
type manager struct {
	sync.Mutex
	outcomes    []Outcome
	unconfirmed []*si.AllocationRelease
	asks        map[string]*Ask
	nodes       map[string]*Node
	available   func(node string) (Amounts, bool)
}

var errUnfit = errors.New("node(s) didn't match node selector")

func (m *manager) told(outcome Outcome) {
	m.outcomes = append(m.outcomes, outcome)
}

// take hands over what was told since it was last asked.
func (m *manager) take() []Outcome {
	m.Lock()
	defer m.Unlock()
	found := m.outcomes
	m.outcomes = nil
	if found == nil {
		return []Outcome{}
	}
	return found
}

// toConfirm hands over the releases that the core announced on its own.
func (m *manager) toConfirm() []*si.AllocationRelease {
	m.Lock()
	defer m.Unlock()
	found := m.unconfirmed
	m.unconfirmed = nil
	return found
}

func (m *manager) knows(ask *Ask) {
	m.Lock()
	defer m.Unlock()
	m.asks[ask.Key] = ask
}

func (m *manager) registers(node *Node) {
	m.Lock()
	defer m.Unlock()
	m.nodes[node.ID] = node
}

func (m *manager) UpdateApplication(response *si.ApplicationResponse) error {
	m.Lock()
	defer m.Unlock()
	for _, each := range response.Accepted {
		m.told(Outcome{"app_accepted": each.ApplicationID})
	}
	for _, each := range response.Rejected {
		m.told(Outcome{"app_rejected": each.ApplicationID, "reason": each.Reason})
	}
	for _, each := range response.Updated {
		m.told(Outcome{"app_updated": each.ApplicationID, "state": each.State})
	}
	return nil
}

func (m *manager) UpdateAllocation(response *si.AllocationResponse) error {
	m.Lock()
	defer m.Unlock()
	for _, each := range response.New {
		m.told(Outcome{"allocated": each.AllocationKey, "app": each.ApplicationID, "node": each.NodeID})
	}
	for _, each := range response.Released {
		m.told(Outcome{"released": each.AllocationKey, "app": each.ApplicationID, "type": each.TerminationType.String()})
		if each.TerminationType != si.TerminationType_STOPPED_BY_RM {
			m.unconfirmed = append(m.unconfirmed, each)
		}
	}
	for _, each := range response.RejectedAllocations {
		m.told(Outcome{"ask_rejected": each.AllocationKey, "app": each.ApplicationID, "reason": each.Reason})
	}
	return nil
}

func (m *manager) UpdateNode(response *si.NodeResponse) error {
	m.Lock()
	defer m.Unlock()
	for _, each := range response.Accepted {
		m.told(Outcome{"node_accepted": each.NodeID})
	}
	for _, each := range response.Rejected {
		m.told(Outcome{"node_rejected": each.NodeID, "reason": each.Reason})
	}
	return nil
}

func (m *manager) Predicates(args *si.PredicatesArgs) error {
	m.Lock()
	defer m.Unlock()
	if !m.suits(args.AllocationKey, args.NodeID) {
		return errUnfit
	}
	return nil
}

// suits tells whether a request may run on a node, its resources aside: allowed nodes, attributes, taints.
func (m *manager) suits(key, nodeID string) bool {
	ask := m.asks[key]
	if ask == nil {
		return true
	}
	if len(ask.AllowedNodes) > 0 && !slices.Contains(ask.AllowedNodes, nodeID) {
		return false
	}
	node := m.nodes[nodeID]
	if node == nil {
		return len(ask.NodeSelector) == 0
	}
	for name, value := range ask.NodeSelector {
		if node.Attributes[name] != value {
			return false
		}
	}
	for _, taint := range node.Taints {
		if !slices.Contains(ask.Tolerations, taint) {
			return false
		}
	}
	return true
}

// PreemptionPredicates answers with the first victim, from the start index on, after which the request fits what the node has free.
func (m *manager) PreemptionPredicates(args *si.PreemptionPredicatesArgs) *si.PreemptionPredicatesResponse {
	no := &si.PreemptionPredicatesResponse{Success: false, Index: -1}
	free, there := m.available(args.NodeID)
	m.Lock()
	defer m.Unlock()
	ask := m.asks[args.AllocationKey]
	if !there || ask == nil || !m.suits(args.AllocationKey, args.NodeID) {
		return no
	}
	for index, key := range args.PreemptAllocationKeys {
		if victim := m.asks[key]; victim != nil {
			for name, amount := range victim.Resources {
				free[name] += amount
			}
		}
		if index >= int(args.StartIndex) && fits(free, ask.Resources) {
			return &si.PreemptionPredicatesResponse{Success: true, Index: int32(index)}
		}
	}
	return no
}

func (m *manager) SendEvent([]*si.EventRecord)                                              {}
func (m *manager) UpdateContainerSchedulingState(*si.UpdateContainerSchedulingStateRequest) {}

func fits(free, wanted Amounts) bool {
	for name, amount := range wanted {
		if amount > 0 && free[name] < amount {
			return false
		}
	}
	return true
}
